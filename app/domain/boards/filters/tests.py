"""Only problems whose tests have these origins."""

from app.domain.boards.filters import Filter, Kind, Over
from app.domain.problems import TestsOrigin

FILTER = Filter(
    name="tests",
    place=25,
    over=Over.PROBLEMS,
    kind=Kind.ONE_OF,
    fact="tests",
    values=TestsOrigin,
    meaning="only problems whose tests come from there",
    label="Tests",
    excluded="with tests from elsewhere",
    precedence=2,
    words="tests_origin.",
)
