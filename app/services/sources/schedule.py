"""Schedule of visits to sources, and the state of the data expected from their contests."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.sources import obligations as store
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
from app.domain.states import ObligationState

_NO_TIME = timedelta(0)


def due_visits(session: Session, rounds: Iterable[PollingIntervals], now: datetime) -> list[tuple[str, str]]:
    """Return (source, purpose) of every visit that is due: to read a calendar, facts, or expected data of a contest.

    Only sources in `rounds` are visited, without those that are paused or that blocked us within a day.
    """
    due_pairs = store.sources_due(session, now)
    last = store.last_visits(session)
    received = store.receptions(session, now)
    off = store.paused_sources(session)
    visits = []
    for site in rounds:
        if site.source in off:
            continue
        every = {PROBLEMS: site.calendar, **dict(site.facts)}
        regular = {name for name, pause in every.items() if is_due(pause, last.get((site.source, name)), now)}
        by_contest = {purpose for slug, purpose in due_pairs if slug == site.source}
        waiting = {purpose: last.get((site.source, purpose)) for purpose in regular | by_contest}
        turns = choose_visits(waiting, received.get(site.source, SourceAccess()), now)
        visits += [(site.source, purpose) for purpose in turns]
    return visits


def expect_data(
    session: Session, source_id: int, contests: Collection[str], owed: Sequence[ExpectedData], now: datetime
) -> None:
    """Store the data expected from the contests of a calendar."""
    store.expect(session, source_id, contests, owed, now)


def record_visit(
    session: Session, source_id: int, contest: str, owed: ExpectedData, missing: str | None, now: datetime, *, met: bool
) -> None:
    """Record the result of asking a contest: all is there, or it is asked again, ever more rarely.

    Data that look incomplete are checked a few times more before they are accepted.
    """
    entry = store.find(session, source_id, contest, owed.purpose)
    if entry is None or entry[1] is not ObligationState.OPEN:
        return
    line = entry[0]
    if met and missing is not None and not _is_incomplete(line.reason):
        line = line._replace(attempts=0)  # attempts before the data came do not count as checks of it
    if met and (missing is None or line.attempts + 1 >= MAX_INCOMPLETE_LOOKS):
        store.settle(session, line.contest_id, owed.purpose, ObligationState.MET, missing, now)
    else:
        _put_off(session, line, owed, missing or Reason("not_there"), now)


def _is_incomplete(reason: str | None) -> bool:
    return isinstance(reason, Reason) and reason.code == INCOMPLETE


def record_refusal(
    session: Session,
    source_id: int,
    owed: ExpectedData,
    reason: str,
    now: datetime,
    *,
    due_by: datetime,
    least: timedelta,
) -> None:
    """Put off what was due by then and the visit did not reach, as if it had been asked for in vain."""
    for line in store.due_obligations(session, source_id, owed.purpose, due_by):
        _put_off(session, line, owed, reason, now, least=least)


def _put_off(
    session: Session,
    line: store.DueObligation,
    owed: ExpectedData,
    reason: str,
    now: datetime,
    *,
    least: timedelta = _NO_TIME,
) -> None:
    if owed.is_given_up(line.late_at, now):
        store.settle(
            session, line.contest_id, owed.purpose, ObligationState.CLOSED, Reason("given_up", cause=reason), now
        )
        return
    pause = max(owed.pause(line.attempts + 1), least)
    store.postpone(session, line.contest_id, owed.purpose, now + pause, reason, line.attempts + 1)
