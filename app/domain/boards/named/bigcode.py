"""bigcode: tasks over many libraries, asked in two ways (Zhuo et al., BigCodeBench, ICLR 2025, section 3)."""

from app.domain.boards.board import BoardRow
from app.domain.boards.named import Column, NamedBoard, Part, Parts


def _instruct(_row: BoardRow, parts: Parts) -> float | None:
    return parts["instruct"]


def _gap(row: BoardRow, parts: Parts) -> float | None:
    instruct = parts["instruct"]
    return None if row.score is None or instruct is None else row.score - instruct


BOARD = NamedBoard(
    "bigcode",
    "completion",
    "bcb-complete",
    {"en": "BigCodeBench", "zh": "BigCodeBench 题集"},
    parts=(
        Part(
            "instruct",
            {"bcb-complete": "bcb-instruct", "bcb-complete-uncalibrated": "bcb-instruct-uncalibrated"},
        ),
    ),
    columns=(
        Column(
            "instruct",
            {"en": "instruct", "zh": "指令式"},
            {
                "en": "The same model's score where the task is told in a short instruction instead of a docstring.",
                "zh": "题目改用简短指令（而非文档字符串）叙述时，同一模型的得分。",
            },
            _instruct,
        ),
        Column(
            "gap",
            {"en": "gap", "zh": "差距"},
            {
                "en": "The score minus that for instructions, in points.",
                "zh": "得分减去指令式得分（分）。",
            },
            _gap,
        ),
    ),
    place=6,
)
