"""repair: a model's own failed program, sent back once with what went wrong (LiveCodeBench, self-repair)."""

from app.domain.boards.board import BoardRow
from app.domain.boards.named import Column, NamedBoard, Part, Parts


def _first(_row: BoardRow, parts: Parts) -> float | None:
    return parts["first"]


def _gain(row: BoardRow, parts: Parts) -> float | None:
    first = parts["first"]
    return None if row.score is None or first is None else row.score - first


BOARD = NamedBoard(
    "repair",
    "self_repair",
    "house-repair",
    {"en": "Self-repair", "zh": "自我修复"},
    parts=(Part("first", {"house-repair": "house", "fresh-repair": "fresh"}),),
    columns=(
        Column(
            "first",
            {"en": "first try", "zh": "首次作答"},
            {"en": "The same model's score before it was told what failed.", "zh": "同一模型在获知错误之前的得分。"},
            _first,
        ),
        Column(
            "gain",
            {"en": "gain", "zh": "提升"},
            {
                "en": "The score minus that of the first try, in points.",
                "zh": "得分减去首次作答得分（分）。",
            },
            _gain,
        ),
    ),
    place=2,
)
