"""Words about how sure numbers are, in both languages."""

from collections.abc import Mapping

_BOTH: Mapping[str, tuple[str, str]] = {
    "estimate.short": ("≈ {score} [{lo}, {hi}] on all", "全部题目约 {score} [{lo}, {hi}]"),
    "estimate.long": (
        "An estimate for all problems of the window, from this row's own part of them and from how hard the others "
        "find the rest. It gives no rank.",
        "根据该行已计入的题目以及其余题目对其他模型的难度，对时间窗口内全部题目的得分所作的估计。不参与排名。",
    ),
    "rank.resampled": (
        "Over resampled contests: place {lo} to {hi}, first in {first} % of them.",
        "对比赛重抽样：名次 {lo} 至 {hi}，其中 {first} % 的情形排第一。",
    ),
    "board.first_separated": (
        "The best row that can be told from the first one is in place {rank}.",
        "能与第一名区分开的最佳一行位于第 {rank} 名。",
    ),
    "board.none_separated": ("No row can be told from the first one.", "没有任何一行能与第一名区分开。"),
    "board.precision": (
        "Half of the intervals are wider than ±{half}; about {n} problems like these would make that ±{points}.",
        "半数区间宽于 ±{half}；约需 {n} 道此类题目才能缩小到 ±{points}。",
    ),
    "board.widen": ("Widen the window to {day}", "将时间窗口扩展至 {day} 起"),
    "difference.long": (
        "p = {p} after Holm's adjustment over all rows compared",
        "对所有比较的行作 Holm 校正后 p = {p}",
    ),
}
EN: Mapping[str, str] = {key: english for key, (english, _chinese) in _BOTH.items()}
ZH: Mapping[str, str] = {key: chinese for key, (_english, chinese) in _BOTH.items()}
