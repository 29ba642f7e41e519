"""Words about what answers took and about what a board leaves out, in both languages."""

from collections.abc import Mapping

_BOTH: Mapping[str, tuple[str, str]] = {
    "usage.show": ("Show tokens, time, cost and speed", "显示词元、时间、费用与速度"),
    "usage.hide": ("Hide tokens, time, cost and speed", "隐藏词元、时间、费用与速度"),
    "usage.tokens": ("Tokens", "词元"),
    "usage.tokens.title": ("Tokens written per problem, reasoning included", "平均每题输出的词元数，含推理"),
    "usage.tokens.long": (
        "Per problem: input {input} (cached {cached}), reasoning {reasoning}, answer {answer}",
        "每题：输入 {input}（缓存 {cached}），推理 {reasoning}，回答 {answer}",
    ),
    "usage.seconds": ("Seconds", "秒"),
    "usage.seconds.title": ("Seconds of waiting per problem", "平均每题等待的秒数"),
    "usage.cost": ("Cost", "费用"),
    "usage.cost.title": ("US dollars per solved problem", "每解出一题的费用（美元）"),
    "usage.speed": ("Speed", "速度"),
    "usage.speed.title": (
        "CPU time of the fastest reference program over that of this row's accepted programs, same tests and judge",
        "最快参考程序的 CPU 时间与该行通过程序的 CPU 时间之比，测试与评测环境相同",
    ),
    "usage.speed.over": (
        "Geometric mean over {n} problems; above 1 is faster than the reference",
        "{n} 道题目的几何平均；大于 1 表示快于参考程序",
    ),
    "usage.speed.few": (
        "Known for {n} problems; a mean needs {least}",
        "仅有 {n} 道题目可比较；至少需要 {least} 道",
    ),
    "usage.speed.few.one": (
        "Known for {n} problem; a mean needs {least}",
        "仅有 {n} 道题目可比较；至少需要 {least} 道",
    ),
    "reading.usage.term": ("Tokens, seconds, cost, speed", "词元、秒、费用、速度"),
    "reading.usage": (
        "Means over all of a row's answers, whatever the window; no row is ranked by them. A dash is not known, which "
        "is not 0. Speed is the geometric mean over problems of the fastest reference program's CPU time divided by "
        "the median of the row's accepted programs, in one language on the same tests and the same judge.",
        "按该行的全部答案取平均，与时间窗口无关，也不参与排名。横线表示未知，并非 0。"
        "速度：每道题以最快参考程序的 CPU 时间除以该行通过程序 CPU 时间的中位数，再对题目取几何平均，"
        "语言、测试与评测环境均相同。",
    ),
    "tag.unpublished": ("{n} not published", "另有 {n} 个未公开"),
    "tag.unpublished.long": (
        "Further runs of this model under this protocol that are not public.",
        "该模型在此协议下另有未公开的运行。",
    ),
    "tag.unmatched": ("{n} unmatched", "{n} 个未匹配"),
    "tag.unmatched.long": (
        "Recorded answers to problems that are not here; they are in no score.",
        "所录答案对应的题目不在此处，未计入任何得分。",
    ),
    "provenance.cutoff_in_file": ("cutoff in the file", "文件中的截止日期"),
    "provenance.unmatched": ("answers to problems not here", "题目不在此处的答案"),
    "sentence.comma": (", ", "、"),
    "left_out.title": ("Problems left out:", "未计入的题目："),
    "left_out.platform": ("{n} on other platforms", "其他平台 {n} 道"),
    "left_out.difficulty": ("{n} of other difficulty", "其他难度 {n} 道"),
    "left_out.window": ("{n} outside the window", "时间窗口之外 {n} 道"),
    "left_out.other": ("{n} by another filter", "其他筛选条件 {n} 道"),
    "left_out.held": ("{n} held back", "暂缓发布 {n} 道"),
    "left_out.withdrawn": ("{n} withdrawn", "已撤回 {n} 道"),
    "left_out.undated": ("{n} without a release date", "无发布日期 {n} 道"),
    "board.rounded": (
        "These are LiveCodeBench's rules: rows are ranked by rounded scores, whether or not they can be told apart.",
        "此处采用 LiveCodeBench 的规则：按四舍五入后的得分排名，不论差异是否可靠。",
    ),
}
EN: Mapping[str, str] = {key: english for key, (english, _chinese) in _BOTH.items()}
ZH: Mapping[str, str] = {key: chinese for key, (_english, chinese) in _BOTH.items()}
