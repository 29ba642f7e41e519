"""The rules of a board."""

from app.domain.boards.board import Rules
from app.domain.boards.filters import Filter, Kind, Over

FILTER = Filter(
    name="rules",
    place=70,
    over=Over.BOARD,
    kind=Kind.MODE,
    values=Rules,
    field="rules",
    meaning="whose rules the board goes by; lcb are LiveCodeBench's own, with an inclusive window end",
    label="Rules",
    control=False,
)
