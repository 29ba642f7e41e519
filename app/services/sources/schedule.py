"""Schedule of visits to sources, and the state of the data expected from their contests."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta

from app.db.kernel.session import Session
from app.db.sources import captures
from app.db.sources import expected_data as store
from app.domain.reasons import INCOMPLETE, Reason
from app.domain.sources.schedule import (
    MAX_INCOMPLETE_LOOKS,
    PROBLEMS,
    ExpectedData,
    PollingIntervals,
    SourceAccess,
    choose_visits,
    is_due,
)
from app.domain.states import ExpectedDataState, ScrapeState
from app.domain.windows import Window

_NO_TIME = timedelta(0)
_BACKFILL_RETRY = timedelta(minutes=10)


def due_visits(session: Session, intervals: Iterable[PollingIntervals], now: datetime) -> list[tuple[str, str]]:
    """Return (source, purpose) of every visit that is due: to read a calendar, facts, or expected data of a contest.

    Only sources with `intervals` are visited, without those that are paused or that blocked us within a day.
    """
    due_pairs = store.sources_due(session, now)
    last = store.last_visits(session)
    access = store.source_access(session, now)
    off = store.paused_sources(session)
    visits = []
    for site in intervals:
        if site.source in off:
            continue
        every = {PROBLEMS: site.calendar, **dict(site.facts)}
        regular = {name for name, pause in every.items() if is_due(pause, last.get((site.source, name)), now)}
        by_contest = {purpose for slug, purpose in due_pairs if slug == site.source}
        waiting = {purpose: last.get((site.source, purpose)) for purpose in regular | by_contest}
        turns = choose_visits(waiting, access.get(site.source, SourceAccess()), now)
        visits += [(site.source, purpose) for purpose in turns]
    return visits


def due_backfills(session: Session, intervals: Iterable[PollingIntervals], now: datetime) -> list[tuple[str, str, str]]:
    """Return (source, first day, day after the last) of problems of another source that a site shows and was not
    visited for.

    Such a visit confirms problems that are here. It waits until a contest of the site's own was read, and is repeated
    if it fails.
    """
    names = {site.source for site in intervals}
    found = []
    for copied in store.copied_days(session):
        days = Window(copied.first.astimezone(UTC).date(), copied.last.astimezone(UTC).date() + timedelta(days=1))
        last = captures.last_backfill(session, copied.source_id, days)
        if copied.source in names and (last is None or _is_due_again(last, now)):
            found.append((copied.source, str(days.start), str(days.end)))
    return found


def _is_due_again(last: captures.LastBackfill, now: datetime) -> bool:
    if last.state in (ScrapeState.SUCCEEDED, ScrapeState.PARTIAL):
        return False
    if last.state is ScrapeState.RUNNING:
        return last.lease_until is not None and last.lease_until < now
    return now - last.started_at >= _BACKFILL_RETRY


def expect_data(
    session: Session, source_id: int, contests: Collection[str], expected: Sequence[ExpectedData], now: datetime
) -> None:
    """Store the data expected from the contests of a calendar."""
    store.expect(session, source_id, contests, expected, now)


def record_visit(
    session: Session, source_id: int, contest: str, data: ExpectedData, missing: str | None, now: datetime, *, met: bool
) -> None:
    """Record the result of asking a contest: all is there, or it is asked again, ever more rarely.

    Data that look incomplete are checked a few times more before they are accepted.
    """
    entry = store.find(session, source_id, contest, data.purpose)
    if entry is None or entry[1] is not ExpectedDataState.OPEN:
        return
    due = entry[0]
    if met and missing is not None and not _is_incomplete(due.reason):
        due = due._replace(attempts=0)  # attempts before the data came do not count as checks of it
    if met and (missing is None or due.attempts + 1 >= MAX_INCOMPLETE_LOOKS):
        store.close(session, due.contest_id, data.purpose, ExpectedDataState.MET, missing, now)
    else:
        _postpone(session, due, data, missing or Reason("not_there"), now)


def _is_incomplete(reason: str | None) -> bool:
    return isinstance(reason, Reason) and reason.code == INCOMPLETE


def record_refusal(
    session: Session,
    source_id: int,
    data: ExpectedData,
    reason: str,
    now: datetime,
    *,
    due_by: datetime,
    min_pause: timedelta,
) -> None:
    """Put off what was due by then and the visit did not reach, as if it had been asked for in vain."""
    for due in store.due_contests(session, source_id, data.purpose, due_by):
        _postpone(session, due, data, reason, now, min_pause=min_pause)


def _postpone(
    session: Session,
    due: store.DueContest,
    data: ExpectedData,
    reason: str,
    now: datetime,
    *,
    min_pause: timedelta = _NO_TIME,
) -> None:
    if data.is_given_up(due.late_at, now):
        store.close(
            session, due.contest_id, data.purpose, ExpectedDataState.CLOSED, Reason("given_up", cause=reason), now
        )
        return
    pause = max(data.pause(due.attempts + 1), min_pause)
    store.postpone(session, due.contest_id, data.purpose, now + pause, reason, due.attempts + 1)
