"""Treatment of rows whose model may have seen problems of the window."""

from app.domain.boards.board import Exposure
from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope

FILTER = BoardFilter(
    name="exposure",
    place=60,
    over=FilterScope.BOARD,
    kind=FilterKind.MODE,
    values=Exposure,
    field="exposure",
    meaning="what to do with rows whose model may have seen problems of the window",
    label="Rows that may have seen problems",
    excluded="may have seen problems of this window",
    words="exposure.",
)
