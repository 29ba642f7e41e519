"""Only problems of these levels."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope
from app.domain.problems import Level
from app.domain.publishing.bands import levels_shown

FILTER = BoardFilter(
    name="difficulty",
    place=20,
    over=FilterScope.PROBLEMS,
    kind=FilterKind.ONE_OF,
    fact="level",
    values=Level,
    field="levels",
    meaning="only problems of these levels",
    label="Difficulty",
    excluded="of other difficulty",
    precedence=1,
    words="level.",
    listed=levels_shown,
)
