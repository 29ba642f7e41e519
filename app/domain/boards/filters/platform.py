"""Only problems of these platforms."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope

FILTER = BoardFilter(
    name="platform",
    place=10,
    over=FilterScope.PROBLEMS,
    kind=FilterKind.ONE_OF,
    fact="platform",
    field="platforms",
    meaning="only problems of these platforms",
    label="Platform",
    excluded="on other platforms",
    precedence=0,
)
