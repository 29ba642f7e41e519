"""Only runs in these languages."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope

FILTER = BoardFilter(
    name="language",
    place=30,
    over=FilterScope.ROWS,
    kind=FilterKind.ONE_OF,
    fact="language",
    field="languages",
    meaning="only runs in these languages",
    label="Language",
    excluded="another language was asked for",
    precedence=1,
    control=False,
)
