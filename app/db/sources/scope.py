"""Which sources there are, and which a protocol covers: the one rule of planning, boards and what they lack."""

from collections.abc import Iterable

from sqlalchemy import ColumnElement, and_, false, or_, select, true

from app.db.kernel.session import Session
from app.db.tables import Problem, Source
from app.domain.asking.protocols import Covers


def in_scope(covers: Covers) -> ColumnElement[bool]:
    """Whether a problem's source is of a kind that is covered, or named, and it bears every tag asked for.

    Any source is covered where neither is said.
    """
    by_source = or_(Source.kind.in_(covers.kinds), Source.slug.in_(covers.sources))
    source = by_source if covers.kinds or covers.sources else true()
    return and_(source, Problem.tags.contains(list(covers.tags))) if covers.tags else source


def in_any_scope(covers: Iterable[Covers]) -> ColumnElement[bool]:
    """Whether any of these covers a problem, whatever its form."""
    return or_(false(), *map(in_scope, covers))


def every_source(session: Session) -> list[Source]:
    """Every source that is stored here."""
    return list(session.scalars(select(Source).order_by(Source.id)))
