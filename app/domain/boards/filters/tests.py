"""Only problems whose tests have these origins."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope
from app.domain.problems import TestsOrigin

FILTER = BoardFilter(
    name="tests",
    place=25,
    over=FilterScope.PROBLEMS,
    kind=FilterKind.ONE_OF,
    fact="tests",
    values=TestsOrigin,
    meaning="only problems whose tests have this origin",
    label="Tests",
    excluded="with tests from elsewhere",
    precedence=2,
    words="tests_origin.",
)
