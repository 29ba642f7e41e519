"""code3: functions requested in Chinese, by the rules of SuperCLUE-Code3 (reference: its published README, 2024)."""

from app.domain.asking.protocols import HOUSE_CODE3
from app.domain.boards.board import BoardRow
from app.domain.boards.named_boards import BoardColumn, NamedBoard, PartScores
from app.domain.publishing.bands import LABELS

_WEIGHTS = dict(zip(LABELS, (1, 2, 3), strict=True))


def _weighted_score(row: BoardRow, _parts: PartScores) -> float | None:
    """Return (1 easy + 2 medium + 3 hard) / 6 of the scores by level; None if a level has no judged problem."""
    scores = {level: row.by_difficulty[level].score if level in row.by_difficulty else None for level in _WEIGHTS}
    parts = [weight * score for level, weight in _WEIGHTS.items() if (score := scores[level]) is not None]
    return sum(parts) / sum(_WEIGHTS.values()) if len(parts) == len(_WEIGHTS) else None


def _format_rate(row: BoardRow, _parts: PartScores) -> float | None:
    rate = row.usage.format_rate
    return None if rate is None else 100 * rate


BOARD = NamedBoard(
    "code3",
    "codegen",
    HOUSE_CODE3.slug,
    {"en": "Chinese, by level", "zh": "中文分级编程"},
    styles=("code3-zh",),
    columns=(
        BoardColumn(
            "weighted",
            {"en": "weighted", "zh": "加权得分"},
            {
                "en": "The scores by level, weighted 1 : 2 : 3. It is missing where a level has no judged problem.",
                "zh": "各难度等级得分按 1 : 2 : 3 加权。若某一等级没有已评测的题目，则不给出。",
            },
            _weighted_score,
        ),
        BoardColumn(
            "format_rate",
            {"en": "format", "zh": "指令遵循率"},
            {
                "en": "The share of all its answers that stand between the marks asked for, right or wrong. "
                "Programs are read from other answers, too.",
                "zh": "在其全部回答中，把代码放在规定标记之间的比例，与正确与否无关；其他回答中的代码也会被读取。",
            },
            _format_rate,
        ),
    ),
    place=5,
)
