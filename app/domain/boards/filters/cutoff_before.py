"""Only models whose cutoff is before a day."""

from app.domain.boards.filters import Filter, Kind, Over

FILTER = Filter(
    name="cutoff_before",
    place=50,
    over=Over.ROWS,
    kind=Kind.BEFORE,
    fact="cutoff_on",
    field="cutoff_before",
    meaning="only models whose cutoff is before this day",
    label="Only models with a cutoff before",
    reason="cutoff",
    excluded="the cutoff is not before the day asked for",
    precedence=2,
)
