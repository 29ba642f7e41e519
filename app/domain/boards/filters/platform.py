"""Only problems of these platforms."""

from app.domain.boards.filters import Filter, Kind, Over

FILTER = Filter(
    name="platform",
    place=10,
    over=Over.PROBLEMS,
    kind=Kind.ONE_OF,
    fact="platform",
    field="platforms",
    meaning="only problems of these platforms",
    label="Platform",
    excluded="on other platforms",
    precedence=0,
)
