"""execution: what a program returns for an input, at once and step by step (LiveCodeBench, code execution)."""

from app.domain.boards.board import BoardRow
from app.domain.boards.named import Column, NamedBoard, Part, Parts


def _steps(_row: BoardRow, parts: Parts) -> float | None:
    return parts["steps"]


def _gain(row: BoardRow, parts: Parts) -> float | None:
    steps = parts["steps"]
    return None if row.score is None or steps is None else steps - row.score


BOARD = NamedBoard(
    "execution",
    "execution",
    "house-execution",
    {"en": "Code execution", "zh": "代码执行"},
    parts=(Part("steps", {"house-execution": "house-execution-cot", "fresh-execution": "fresh-execution-cot"}),),
    columns=(
        Column(
            "step_by_step",
            {"en": "by steps", "zh": "逐步推理"},
            {
                "en": "The same model's score where it may reason step by step before it answers.",
                "zh": "允许先逐步推理再作答时，同一模型的得分。",
            },
            _steps,
        ),
        Column(
            "gain",
            {"en": "gain", "zh": "提升"},
            {"en": "The score by steps minus that at once, in points.", "zh": "逐步推理得分减去直接作答得分（分）。"},
            _gain,
        ),
    ),
    place=3,
)
