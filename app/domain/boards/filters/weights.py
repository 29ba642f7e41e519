"""Only rows of models with open weights, or with closed ones."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope
from app.domain.cube.facts import WeightsAccess

FILTER = BoardFilter(
    name="weights",
    place=47,
    over=FilterScope.ROWS,
    kind=FilterKind.ONE_OF,
    fact="weights",
    values=WeightsAccess,
    meaning="only rows of models with open weights, or with closed ones",
    label="Weights",
    excluded="their weights are others, or unknown",
    precedence=3,
    words="weights.",
)
