"""Only these models."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope

FILTER = BoardFilter(
    name="model",
    place=40,
    over=FilterScope.ROWS,
    kind=FilterKind.ONE_OF,
    fact="model",
    field="models",
    meaning="only these models",
    label="Model",
    excluded="other models were asked for",
    precedence=0,
    control=False,
)
