"""Sources, and the rule by which a protocol covers them, for planning and boards alike."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from sqlalchemy import ColumnElement, and_, false, or_, select, true

from app.db.kernel.session import Session
from app.db.tables import Contest, ExpectedDataRow, Problem, ScrapeRun, Source
from app.domain.asking.protocols import ProtocolScope
from app.domain.sources.kinds import SourceKind
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ExpectedDataState, ProblemState, ScrapeState


def in_scope(covers: ProtocolScope) -> ColumnElement[bool]:
    """Return the condition that a problem's source has a covered kind or name, and the problem every tag.

    If neither kinds nor names are given, every source is covered. A demo source is covered by its name alone: nobody
    pays for answers to invented contests.
    """
    by_kind = and_(Source.kind.in_(covers.kinds), Source.demo.is_(False))
    by_source = or_(by_kind, Source.slug.in_(covers.sources))
    source = by_source if covers.kinds or covers.sources else true()
    return and_(source, Problem.tags.contains(list(covers.tags))) if covers.tags else source


def in_any_scope(covers: Iterable[ProtocolScope]) -> ColumnElement[bool]:
    """Return the condition that any of these covers a problem, whatever its form."""
    return or_(false(), *map(in_scope, covers))


def may_gain_problems(session: Session, covers: ProtocolScope, start: datetime | None, end: datetime) -> bool:
    """Return whether a problem of past days may still be published.

    That is so if a problem waits, if problems of a contest of those days are expected, or if a site was not visited
    since.
    """
    of_source = in_scope(replace(covers, tags=()))
    since_start = [] if start is None else [start]
    waiting = (
        select(Problem.id)
        .join(Source, Source.id == Problem.source_id)
        .where(Problem.state.in_((ProblemState.FOUND, ProblemState.CHECKED, ProblemState.HELD)), in_scope(covers))
        .where(Problem.released_on < end, *(Problem.released_on >= day for day in since_start))
    )
    expected = (
        select(ExpectedDataRow.contest_id)
        .join(Contest, Contest.id == ExpectedDataRow.contest_id)
        .join(Source, Source.id == Contest.source_id)
        .where(ExpectedDataRow.purpose == PROBLEMS, ExpectedDataRow.state == ExpectedDataState.OPEN, of_source)
        .where(Contest.starts_at < end, *(Contest.starts_at >= day for day in since_start))
    )
    visited = select(ScrapeRun.id).where(
        ScrapeRun.source_id == Source.id, ScrapeRun.purpose == PROBLEMS, ScrapeRun.backfill.is_(None),
        ScrapeRun.state == ScrapeState.SUCCEEDED, ScrapeRun.started_at >= end,
    )  # fmt: skip
    unvisited = select(Source.id).where(Source.kind == SourceKind.SITE, Source.enabled, of_source, ~visited.exists())
    return bool(session.scalar(select(or_(waiting.exists(), expected.exists(), unvisited.exists()))))


def every_source(session: Session) -> list[Source]:
    """Return every stored source."""
    return list(session.scalars(select(Source).order_by(Source.id)))
