"""Only rows of models with open weights, or with closed ones."""

from app.domain.boards.filters import Filter, Kind, Over
from app.domain.cube.facts import Weights

FILTER = Filter(
    name="weights",
    place=47,
    over=Over.ROWS,
    kind=Kind.ONE_OF,
    fact="weights",
    values=Weights,
    meaning="only rows of models with open weights, or with closed ones",
    label="Weights",
    excluded="their weights are others, or unknown",
    precedence=3,
    words="weights.",
)
