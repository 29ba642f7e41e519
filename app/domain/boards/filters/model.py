"""Only these models."""

from app.domain.boards.filters import Filter, Kind, Over

FILTER = Filter(
    name="model",
    place=40,
    over=Over.ROWS,
    kind=Kind.ONE_OF,
    fact="model",
    field="models",
    meaning="only these models",
    label="Model",
    excluded="other models were asked for",
    precedence=0,
    control=False,
)
