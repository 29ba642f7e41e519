"""When sources are visited, and what becomes of what their contests owe us."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from app.db.kernel.session import Session
from app.db.sources import obligations as store
from app.domain.sources.schedule import LOOKS_AT_ODD, ODD, PROBLEMS, Owed, Reception, Rounds, in_turn, is_due
from app.domain.states import ObligationState

_NONE = timedelta(0)


def due(session: Session, rounds: Iterable[Rounds], now: datetime) -> list[tuple[str, str]]:
    """(source, purpose) of every visit that is due: a calendar to be read, facts, or something a contest owes.

    Only sources among the rounds are visited, and of those none that is paused, or that blocked us within a day.
    """
    owed = store.sources_due(session, now)
    last = store.last_visits(session)
    received = store.receptions(session, now)
    off = store.paused(session)
    visits = []
    for site in rounds:
        if site.source in off:
            continue
        every = {PROBLEMS: site.calendar, **dict(site.facts)}
        regular = {name for name, pause in every.items() if is_due(pause, last.get((site.source, name)), now)}
        by_contest = {purpose for slug, purpose in owed if slug == site.source}
        waiting = {purpose: last.get((site.source, purpose)) for purpose in regular | by_contest}
        turns = in_turn(waiting, received.get(site.source, Reception()), now)
        visits += [(site.source, purpose) for purpose in turns]
    return visits


def expect(session: Session, source_id: int, contests: Collection[str], owed: Sequence[Owed], now: datetime) -> None:
    """Write down what the contests of a calendar owe us."""
    store.expect(session, source_id, contests, owed, now)


def record_visit(
    session: Session, source_id: int, contest: str, owed: Owed, missing: str | None, now: datetime, *, met: bool
) -> None:
    """Note what asking a contest brought: all is there, or it is asked again, ever more rarely.

    What is there but looks incomplete is looked at a few times more before it is taken as it is.
    """
    entry = store.find(session, source_id, contest, owed.purpose)
    if entry is None or entry[1] is not ObligationState.OPEN:
        return
    line = entry[0]
    if met and missing is not None and not (line.reason or "").startswith(ODD):
        line = line._replace(attempts=0)  # what was tried in vain before it was there says nothing of how it looks
    if met and (missing is None or line.attempts + 1 >= LOOKS_AT_ODD):
        store.settle(session, line.contest_id, owed.purpose, ObligationState.MET, missing, now)
    else:
        _put_off(session, line, owed, missing or "it is not there yet", now)


def record_refusal(
    session: Session, source_id: int, owed: Owed, reason: str, now: datetime, *, due_by: datetime, least: timedelta
) -> None:
    """What was due by then and the visit did not come to waits as if it had been asked for in vain."""
    for line in store.due(session, source_id, owed.purpose, due_by):
        _put_off(session, line, owed, reason, now, least=least)


def _put_off(
    session: Session, line: store.Due, owed: Owed, reason: str, now: datetime, *, least: timedelta = _NONE
) -> None:
    if owed.given_up(line.late_at, now):
        store.settle(session, line.contest_id, owed.purpose, ObligationState.CLOSED, f"given up: {reason}", now)
        return
    pause = max(owed.pause(line.attempts + 1), least)
    store.postpone(session, line.contest_id, owed.purpose, now + pause, reason, line.attempts + 1)
