"""Only runs in these languages."""

from app.domain.boards.filters import Filter, Kind, Over

FILTER = Filter(
    name="language",
    place=30,
    over=Over.ROWS,
    kind=Kind.ONE_OF,
    fact="language",
    field="languages",
    meaning="only runs in these languages",
    label="Language",
    excluded="another language was asked for",
    precedence=1,
    control=False,
)
