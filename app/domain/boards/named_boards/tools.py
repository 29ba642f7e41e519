"""tools: programs that were run on the examples before judging, beside as many answers without any run."""

from app.domain.boards.board import BoardRow
from app.domain.boards.named_boards import BoardColumn, Gap, NamedBoard, PartScores, ScorePart, gap, score_of
from app.domain.scenarios._styles.tools import RUNS, STYLE, TOOL_SETS

# The parts with pass@k of independent answers, by k: each protocol has one.
_K_BY_PART = {f"pass_{runs + 1}": runs + 1 for runs in range(RUNS + 1)}


def _protocols_beside(what: str, least: int = 0) -> dict[str, str]:
    """Return a protocol on the same problems, by each shown one with at least this many runs."""
    return {f"{name}-tools-{runs}": f"{name}-{what}" for name, *_ in TOOL_SETS for runs in range(least, RUNS + 1)}


def _independent(_row: BoardRow, parts: PartScores) -> float | None:
    """Return pass@k of as many answers without runs as the row may have programs."""
    return next((parts[part] for part in _K_BY_PART if parts[part] is not None), None)


BOARD = NamedBoard(
    "tools",
    "self_repair",
    f"house-tools-{RUNS}",
    {"en": "Tools", "zh": "工具"},
    styles=(STYLE,),
    also=("codegen",),
    parts=(
        ScorePart("first", _protocols_beside("tools-0", 1)),
        *(ScorePart(part, {f"{name}-tools-{k - 1}": f"{name}-samples" for name, *_ in TOOL_SETS}, k=k)
          for part, k in _K_BY_PART.items()),
    ),
    columns=(
        BoardColumn(
            "first",
            {"en": "first program", "zh": "首个程序"},
            {"en": "The same model's score before any run on the examples.", "zh": "同一模型在示例运行之前的得分。"},
            score_of("first"),
        ),
        BoardColumn(
            "gain",
            {"en": "gain", "zh": "提升"},
            {
                "en": "The score minus that of the first program, in points, over the problems judged for both.",
                "zh": "得分减去首个程序的得分（分），只计两者都已评测的题目。",
            },
            gap(None, "first"),
        ),
        BoardColumn(
            "independent",
            {"en": "independent", "zh": "独立作答"},
            {
                "en": "pass@k of as many independent answers to the same problems as runs allow programs.",
                "zh": "对同样的题目独立作答、次数与最多可写的程序数相同时的 pass@k。",
            },
            _independent,
        ),
        BoardColumn(
            "above",
            {"en": "above these", "zh": "高出"},
            {
                "en": "The score minus that pass@k, in points, over the problems judged for both. pass@k takes for "
                "granted that a right answer is picked.",
                "zh": "得分减去独立作答的 pass@k（分），只计两者都已评测的题目；后者还需要有人从中挑出正确的答案。",
            },
            Gap(tuple(_K_BY_PART)),
        ),
    ),
    place=3,
)  # fmt: skip
