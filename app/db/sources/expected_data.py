"""Contests from which data is expected: registering them, finding those that are due, and recording the outcome."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.session import Session
from app.db.sources.visits import newest
from app.db.tables import Contest, ExpectedDataRow, Problem, ProblemAlias, ScrapeRun, Source
from app.domain.sources.schedule import ExpectedData, SourceAccess
from app.domain.states import ExpectedDataState, ScrapeState


class DueContest(NamedTuple):
    """A contest from which data is expected; the data is due now, unless a caller asked for any time."""

    contest_id: int
    external_id: str
    late_at: datetime
    attempts: int
    reason: str | None
    starts_at: datetime | None


def expect(
    session: Session, source_id: int, external_ids: Collection[str], expected: Sequence[ExpectedData], now: datetime
) -> int:
    """Register the data expected from these contests, and return how many rows are new or moved.

    The row of a contest that was never fetched, or is not over after all, moves with the contest's end. The data of a
    contest that ended before we knew of it is late only after our usual time.
    """
    contests = session.execute(
        select(Contest.id, Contest.ends_at).where(
            Contest.source_id == source_id, Contest.external_id.in_(list(external_ids))
        )
    )
    rows = [
        {
            "contest_id": contest_id,
            "purpose": data.purpose,
            "due_at": ends_at + data.first,
            "late_at": max(ends_at + data.first, now) - data.first + data.grace,
        }
        for contest_id, ends_at in contests
        if ends_at is not None
        for data in expected
    ]
    if not rows:
        return 0
    new = insert(ExpectedDataRow).values(rows)
    moved = (
        (ExpectedDataRow.state == ExpectedDataState.OPEN)
        & or_(ExpectedDataRow.attempts == 0, new.excluded.due_at > now)
        & (ExpectedDataRow.due_at != new.excluded.due_at)
    )
    written = session.scalars(
        new.on_conflict_do_update(
            index_elements=["contest_id", "purpose"],
            set_={"due_at": new.excluded.due_at, "late_at": new.excluded.late_at, "attempts": 0, "reason": None},
            where=moved,
        ).returning(ExpectedDataRow.contest_id)
    )
    return len(written.all())


_DUE_COLUMNS = (
    Contest.id, Contest.external_id, ExpectedDataRow.late_at, ExpectedDataRow.attempts, ExpectedDataRow.reason,
    Contest.starts_at,
)  # fmt: skip


def due_contests(session: Session, source_id: int, purpose: str, now: datetime) -> list[DueContest]:
    """Return the contests whose data of this purpose is due, longest due first, locked for an update."""
    rows = session.execute(
        select(*_DUE_COLUMNS)
        .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
        .where(*_is_open(source_id, purpose), ExpectedDataRow.due_at <= now)
        .order_by(ExpectedDataRow.due_at, Contest.id)
        .with_for_update(of=ExpectedDataRow)
    )
    return [DueContest(*row) for row in rows]


def _is_open(source_id: int, purpose: str) -> tuple[Any, ...]:
    return (
        Contest.source_id == source_id,
        ExpectedDataRow.purpose == purpose,
        ExpectedDataRow.state == ExpectedDataState.OPEN,
    )


def postponed_contests(session: Session, source_id: int, purpose: str, now: datetime) -> frozenset[str]:
    """Return the contests whose data of this purpose is due later."""
    return frozenset(
        session.scalars(
            select(Contest.external_id)
            .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
            .where(*_is_open(source_id, purpose), ExpectedDataRow.due_at > now)
        )
    )


def finished_contests(session: Session, source_id: int, purpose: str) -> frozenset[str]:
    """Return the contests from which nothing more is expected for this purpose."""
    return frozenset(
        session.scalars(
            select(Contest.external_id)
            .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
            .where(
                Contest.source_id == source_id,
                ExpectedDataRow.purpose == purpose,
                ExpectedDataRow.state != ExpectedDataState.OPEN,
            )
        )
    )


def find(
    session: Session, source_id: int, external_id: str, purpose: str
) -> tuple[DueContest, ExpectedDataState] | None:
    """Return a contest with the state of its data of a purpose, locked; None if that is not expected."""
    row = session.execute(
        select(*_DUE_COLUMNS, ExpectedDataRow.state)
        .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
        .where(Contest.source_id == source_id, Contest.external_id == external_id, ExpectedDataRow.purpose == purpose)
        .with_for_update(of=ExpectedDataRow)
    ).one_or_none()
    if row is None:
        return None
    return DueContest(*row[:6]), ExpectedDataState(row.state)


def close(
    session: Session, contest_id: int, purpose: str, state: ExpectedDataState, reason: str | None, now: datetime
) -> None:
    """Expect data no longer, because it came or will not be fetched again."""
    session.execute(
        update(ExpectedDataRow)
        .where(
            ExpectedDataRow.contest_id == contest_id,
            ExpectedDataRow.purpose == purpose,
            ExpectedDataRow.state == ExpectedDataState.OPEN,
        )
        .values(state=state, reason=reason, settled_at=now, attempts=ExpectedDataRow.attempts + 1)
    )


def postpone(session: Session, contest_id: int, purpose: str, due_at: datetime, reason: str, attempts: int) -> None:
    """Set the next fetch time of data that was not there yet, with the number of attempts."""
    session.execute(
        update(ExpectedDataRow)
        .where(
            ExpectedDataRow.contest_id == contest_id,
            ExpectedDataRow.purpose == purpose,
            ExpectedDataRow.state == ExpectedDataState.OPEN,
        )
        .values(due_at=due_at, reason=reason, attempts=attempts)
    )


def reopen(session: Session, contest_id: int, now: datetime, grace: timedelta) -> int:
    """Expect all data of a contest again from now on, and return the number of rows."""
    opened = session.scalars(
        update(ExpectedDataRow)
        .where(ExpectedDataRow.contest_id == contest_id)
        .values(state=ExpectedDataState.OPEN, due_at=now, late_at=now + grace, attempts=0, settled_at=None, reason=None)
        .returning(ExpectedDataRow.purpose)
    )
    return len(opened.all())


def sources_due(session: Session, now: datetime) -> set[tuple[str, str]]:
    """Return (source, purpose) of all data that is due now, including paused sources."""
    rows = session.execute(
        select(Source.slug, ExpectedDataRow.purpose)
        .join(Contest, Contest.source_id == Source.id)
        .join(ExpectedDataRow, ExpectedDataRow.contest_id == Contest.id)
        .where(ExpectedDataRow.state == ExpectedDataState.OPEN, ExpectedDataRow.due_at <= now)
        .distinct()
    )
    return {(slug, purpose) for slug, purpose in rows}


def paused_sources(session: Session) -> set[str]:
    """Return the sources that a maintainer switched off."""
    return set(session.scalars(select(Source.slug).where(Source.enabled.is_(False))))


class CopiedDays(NamedTuple):
    """A site that shows problems of another source, and when the first and the last of them came out."""

    source_id: int
    source: str
    first: datetime
    last: datetime


def copied_days(session: Session) -> list[CopiedDays]:
    """Return the sites that show problems of another source, once a contest of their own was read."""
    was_read = exists().where(
        Contest.source_id == Source.id,
        ExpectedDataRow.contest_id == Contest.id,
        ExpectedDataRow.state == ExpectedDataState.MET,
    )
    rows = session.execute(
        select(Source.id, Source.slug, func.min(Problem.released_on), func.max(Problem.released_on))
        .join(ProblemAlias, ProblemAlias.source_id == Source.id)
        .join(Problem, Problem.id == ProblemAlias.problem_id)
        .where(Problem.source_id != Source.id, Source.enabled, Problem.released_on.is_not(None), was_read)
        .group_by(Source.id)
    )
    return [CopiedDays._make(row) for row in rows]


def last_visits(session: Session) -> Mapping[tuple[str, str], datetime]:
    """Return when the newest visit of each source and purpose began, running ones included."""
    last = newest(ScrapeRun.backfill.is_(None))
    rows = session.execute(select(Source.slug, last.purpose, last.started_at).join(Source, Source.id == last.source_id))
    return {(slug, purpose): started_at for slug, purpose, started_at in rows}


def source_access(session: Session, now: datetime) -> Mapping[str, SourceAccess]:
    """Return how each source responded in its last visit, whether scheduled, backfill or manual.

    Visits that failed, or whose worker died, are ignored: they do not show whether the source still blocks us.
    """
    alive = (ScrapeRun.state == ScrapeState.RUNNING) & (ScrapeRun.lease_until >= now)
    busy = set(session.scalars(select(Source.slug).join(ScrapeRun, ScrapeRun.source_id == Source.id).where(alive)))
    last = newest(ScrapeRun.state.in_((ScrapeState.SUCCEEDED, ScrapeState.PARTIAL, ScrapeState.BLOCKED)))
    rows = session.execute(
        select(Source.slug, last.state, last.finished_at)
        .join(Source, Source.id == last.source_id)
        .order_by(last.id)  # the newest visit over all purposes wins
    )
    return {
        slug: SourceAccess(finished_at if state == ScrapeState.BLOCKED else None, slug in busy)
        for slug, state, finished_at in rows
    }
