"""Which sources a protocol covers: the one rule that planning, boards and what they lack go by."""

from sqlalchemy import ColumnElement, or_, true

from app.db.tables import Source
from app.domain.asking.protocols import Covers


def in_scope(covers: Covers) -> ColumnElement[bool]:
    """Whether a source is of a kind that is covered, or named; any source is where neither is said."""
    if not covers.kinds and not covers.sources:
        return true()
    return or_(Source.kind.in_(covers.kinds), Source.slug.in_(covers.sources))
