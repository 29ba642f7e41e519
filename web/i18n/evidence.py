"""Words about contamination and exposure, in both languages: "consistent with", never "clean" or "cheated"."""

from collections.abc import Mapping

_BOTH: Mapping[str, tuple[str, str]] = {
    "nav.contamination": ("Contamination", "数据污染"),
    "contamination.lede": (
        "Does a model do better on problems from before its cutoff than their difficulty and its peers explain?",
        "模型在训练截止日期之前的题目上，是否好于题目难度与同类模型所能解释的程度？",
    ),
    "contamination.wording": (
        "Evidence here is consistent with a model having seen problems; it is no proof of how. And a missing drop "
        "proves nothing: a small leak, or problems rewritten for training, leave no trace that this test could find.",
        "此处的证据与模型见过题目相符，但不能证明其途径。没有下降也不说明任何问题：少量泄漏或经改写后用于训练的题目，"
        "不会留下本检验能发现的痕迹。",
    ),
    "contamination.none": (
        "No row has been tested yet: the tests are made within ten minutes of the first answers.",
        "尚未检验任何一行：检验在首批答案产生后十分钟内进行。",
    ),
    "contamination.caption": ("Tests for contamination, one row per model", "数据污染检验，每个模型一行"),
    "contamination.before": ("before cutoff", "截止前"),
    "contamination.after": ("after", "截止后"),
    "contamination.effect": ("unexplained gap", "未能解释的差距"),
    "contamination.q.long": (
        "the expected share of false ones among rows flagged at this level",
        "以此水平标记的行中预期的误报比例",
    ),
    "contamination.result": ("Result", "结果"),
    "contamination.months": ("Score by month", "逐月得分"),
    "contamination.months_of": (
        "Score of {model} by month of release, with its cutoff",
        "{model} 按题目发布月份的得分及其截止日期",
    ),
    "contamination.more": ("by platform and quarter", "按平台与季度"),
    "contamination.evidence": (
        "evidence consistent with exposure before the cutoff",
        "有与截止前接触过题目相符的证据",
    ),
    "contamination.no_evidence": ("no evidence", "无证据"),
    "contamination.smoothed": (
        "(from smoothed results, which shrink the gap: too little varies for a plain fit)",
        "（依据平滑后的结果，差距因此缩小：结果变化太少，无法直接拟合）",
    ),
    "contamination.not_assessable": ("not assessable", "无法评估"),
    "contamination.why.no_cutoff": ("no cutoff is known", "截止日期未知"),
    "contamination.why.few_pre": (
        "{pre} problems before the cutoff, 100 are needed",
        "截止前有 {pre} 道题，需要 100 道",
    ),
    "contamination.why.few_post": (
        "{post} problems after the cutoff, 60 are needed",
        "截止后有 {post} 道题，需要 60 道",
    ),
    "contamination.why.few_controls": (
        "{controls} models to compare with, 8 are needed",
        "可对照的模型有 {controls} 个，需要 8 个",
    ),
    "contamination.why.few_clusters": ("too few contests on one side", "某一侧的比赛太少"),
    "contamination.why.no_variation": ("everything passes, or nothing", "全部通过或全部未通过"),
    "contamination.why.confounded": ("the cutoff coincides with another change", "截止日期与其他变化重合"),
    "contamination.why.fit_failed": ("the fit did not settle", "拟合未收敛"),
    "contamination.trend": (
        "With a linear trend in time taken out (a check that costs most of the power):",
        "去除线性时间趋势后（该核查会损失大部分检验力）：",
    ),
    "contamination.change": (
        "The largest fall lies at {day} (a diagnostic; it needs several hundred problems).",
        "最大的下降位于 {day}（仅供诊断，需要数百道题）。",
    ),
    "contamination.quarter": ("{start} until {end}:", "{start} 至 {end}："),
    "contamination.method.title": ("How it is tested", "检验方法"),
    "contamination.method.problems": (
        "Problems from twelve months before the cutoff on are compared, without the month on either side of it, "
        "because declared dates are vague.",
        "比较截止日期前十二个月起的题目，并去掉截止日期前后各一个月，因为公布的日期较为模糊。",
    ),
    "contamination.method.controls": (
        "How easy a problem is, models of other vendors say whose own cutoff lies outside that time; eight are needed.",
        "题目的难易由其他厂商中截止日期不在该时段内的模型给出，至少需要八个。",
    ),
    "contamination.method.fit": (
        "A quasi-binomial logit of passes on that ease, its square, the platform and “before the cutoff”, with errors "
        "clustered by contest, gives the gap that difficulty does not explain, in points. Where everything or nothing "
        "passes on one side of the cutoff such a fit has no end: half a pass and half a failure are added to each "
        "problem, which shrinks the gap.",
        "以难易、其平方、平台以及“截止前”为自变量作准二项 logit 回归，误差按比赛聚类，得到难度无法解释的差距（分）。"
        "若截止前或截止后全部通过或全部未通过，则该拟合不收敛：此时为每道题各加半次通过与半次未通过，差距因此缩小。",
    ),
    "contamination.method.placebo": (
        "The same is done with every control as if it had that cutoff: how these differ is the measure of what happens "
        "for no reason.",
        "对每个对照模型假设同一截止日期作同样的计算，其差异即无缘由变化的尺度。",
    ),
    "contamination.method.flag": (
        "A row is flagged where q (Benjamini-Hochberg over all tests made here) is below .05 and the gap is 5 points "
        "or more. In simulations at most 6 of 100 models without a leak have p < .05, and a leak of a fifth of the "
        "problems is found about nine times in ten with 300 problems before and 120 after.",
        "当 q（对此处全部检验作 Benjamini-Hochberg 校正）小于 0.05 且差距不小于 5 分时予以标记。模拟中，无泄漏的模型"
        "至多百分之六 p < 0.05；在截止前 300 题、截止后 120 题时，五分之一题目泄漏约有九成会被发现。",
    ),
    "contamination.method.limits": (
        "A leak of a tenth of the problems is at the limit of what can be found. A change of prompt, harness or topics "
        "at the cutoff could look the same.",
        "十分之一题目的泄漏已接近可发现的极限。提示、评测框架或题目主题在截止日期附近的变化，看起来可能相同。",
    ),
    "exposures.title": ("What was sent to whom", "题目发送记录"),
    "exposures.lede": (
        "Whoever serves a model may keep what it is asked. Each problem is noted here when it first leaves for an "
        "endpoint; a later model of the same vendor may have seen it.",
        "模型的服务方可能保留其收到的题目。每道题首次发往某接口端点时均记录于此；同一厂商之后的模型可能已见过它。",
    ),
    "exposures.sent": ("problems sent", "已发送题目"),
    "exposures.first": ("first", "首次"),
    "exposures.last": ("last new one", "最近一次新题"),
    "exposures.before": ("sent to the vendor before its release", "在其发布前已发往该厂商"),
    "exposures.none": ("Nothing was sent to any endpoint yet.", "尚未向任何接口端点发送题目。"),
}

EN: Mapping[str, str] = {key: english for key, (english, _chinese) in _BOTH.items()}
ZH: Mapping[str, str] = {key: chinese for key, (_english, chinese) in _BOTH.items()}
