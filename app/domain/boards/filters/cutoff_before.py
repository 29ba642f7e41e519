"""Only models whose cutoff is before a day."""

from app.domain.boards.filters import BoardFilter, FilterKind, FilterScope

FILTER = BoardFilter(
    name="cutoff_before",
    place=50,
    over=FilterScope.ROWS,
    kind=FilterKind.BEFORE,
    fact="cutoff_on",
    field="cutoff_before",
    meaning="only models whose cutoff is before this day",
    label="Only models with a cutoff before",
    reason="cutoff",
    excluded="the cutoff is not before the day asked for",
    precedence=2,
)
