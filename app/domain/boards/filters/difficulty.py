"""Only problems of these levels."""

from app.domain.boards.filters import Filter, Kind, Over
from app.domain.problems import Level
from app.domain.publishing.bands import levels_shown

FILTER = Filter(
    name="difficulty",
    place=20,
    over=Over.PROBLEMS,
    kind=Kind.ONE_OF,
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
