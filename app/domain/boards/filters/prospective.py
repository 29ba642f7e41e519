"""Only rows registered before the first problem of the board came out."""

from app.domain.boards.board import Prospective
from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope

FILTER = BoardFilter(
    name="prospective",
    place=65,
    over=FilterScope.BOARD,
    kind=FilterKind.MODE,
    values=Prospective,
    field="prospective",
    meaning="only rows registered before any of the problems came out, and answered in time",
    label="Registered before the problems",
    reason="not_prospective",
    excluded="registered after the first of the problems came out, or answered too late",
    words="prospective.",
)
