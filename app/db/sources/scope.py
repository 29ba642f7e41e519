"""Which sources there are, and which a protocol covers: the one rule of planning, boards and what they lack."""

from sqlalchemy import ColumnElement, or_, select, true

from app.db.kernel.session import Session
from app.db.tables import Source
from app.domain.asking.protocols import Covers


def in_scope(covers: Covers) -> ColumnElement[bool]:
    """Whether a source is of a kind that is covered, or named; any source is where neither is said."""
    if not covers.kinds and not covers.sources:
        return true()
    return or_(Source.kind.in_(covers.kinds), Source.slug.in_(covers.sources))


def every_source(session: Session) -> list[Source]:
    """Every source that is stored here."""
    return list(session.scalars(select(Source).order_by(Source.id)))
