"""The rules of a board."""

from app.domain.boards.board import Rules
from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope

FILTER = BoardFilter(
    name="rules",
    place=70,
    over=FilterScope.BOARD,
    kind=FilterKind.MODE,
    values=Rules,
    words="rules.",
    field="rules",
    meaning="rules of the board; lcb follows LiveCodeBench, with an inclusive window end",
    label="Rules",
)
