"""Only rows of runs with these initiators."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope
from app.domain.cube.facts import StartedBy

FILTER = BoardFilter(
    name="started_by",
    place=46,
    over=FilterScope.ROWS,
    kind=FilterKind.ONE_OF,
    fact="started_by",
    values=StartedBy,
    meaning="only rows of runs that these started",
    label="Run begun by",
    excluded="begun by somebody else",
    precedence=3,
    words="started_by.",
)
