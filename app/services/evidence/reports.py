"""Long computations over cells, made by the clock now and then; pages show the newest with its date."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from structlog import get_logger

from app.db.boards import cells
from app.db.boards.cells import ProtocolFact
from app.db.evidence import evidence
from app.db.evidence.evidence import Made
from app.db.kernel import revision as board_state
from app.db.kernel.session import Session
from app.services.boards.cubes import CubeStore, Loaded
from app.services.evidence import contamination, ease, human_ratings

log = get_logger(__name__)

# Cells change all day; a report is made again once so long has passed, or so many times what it took to make. After an
# import or an edit of a cutoff it is made at once.
EVERY, AT_MOST_ONE_IN = timedelta(minutes=10), 200


class Kind(NamedTuple):
    """What is read for a report while a session is open, and what is made of it without one.

    `prepare` gets the cells of the protocols that `over` names for the one the report is kept under; of a protocol for
    which it names none there is no report. `record` writes facts that were found and returns what is left to be kept.
    A report rests for `every` at least.
    """

    prepare: Callable[[Session, Sequence[Loaded]], Any]
    make: Callable[[Any], dict[str, Any]]
    empty: Mapping[str, Any]
    over: Callable[[Sequence[ProtocolFact], ProtocolFact], Sequence[ProtocolFact]]
    record: Callable[[Session, Mapping[str, Any], datetime], Mapping[str, Any]]
    every: timedelta = EVERY


def _of_one(
    prepare: Callable[[Session, Loaded], Any],
    make: Callable[[Any], dict[str, Any]],
    empty: Mapping[str, Any],
    every: timedelta = EVERY,
) -> Kind:
    """A report over one protocol, which writes nothing else."""
    return Kind(
        lambda session, loaded: prepare(session, loaded[0]), make, empty,
        lambda _known, protocol: (protocol,), lambda _session, body, _now: body, every,
    )  # fmt: skip


KINDS: Mapping[str, Kind] = {
    contamination.KIND: _of_one(contamination.prepare, contamination.assessed, contamination.EMPTY),
    human_ratings.KIND: _of_one(
        # A row has none before all problems of a contest are judged: who begins should see it soon after.
        human_ratings.prepare,
        human_ratings.rated,
        human_ratings.EMPTY,
        timedelta(minutes=1),
    ),
    ease.KIND: Kind(ease.prepare, ease.measured, ease.EMPTY, ease.of_scenario, ease.freeze),
}


@dataclass(frozen=True, slots=True)
class Work:
    """A report that is due, with what it is made of as of `revision`."""

    kind: str
    protocol: int
    revision: int
    inputs: Any
    since: datetime

    def made(self) -> dict[str, Any] | None:
        """The report: slow, and in need of no database. None where it fails: the others must not wait for it."""
        if self.inputs is None:  # it failed before
            return None
        try:
            return KINDS[self.kind].make(self.inputs)
        except Exception:
            log.exception("report.failed", kind=self.kind, protocol=self.protocol)
            return None


class _Place(NamedTuple):
    """A report that there may be: what it is kept under, the protocols it is over, and the newest one. It is `wanted`
    at once if there is none, or if an operator has changed what it is made of since: `of_people`, by an import of
    ratings or standings of people."""

    kind: str
    protocol: int
    over: Sequence[ProtocolFact]
    newest: Made | None
    wanted: bool
    of_people: bool


def _places(session: Session, now: datetime) -> Iterator[_Place]:
    protocols, asked, heard = (
        cells.protocols(session),
        evidence.requested_revisions(session),
        evidence.people_heard_at(session),
    )
    for kind, maker in KINDS.items():
        last = evidence.reported(session, kind, [protocol.id for protocol in protocols])
        for protocol in protocols:
            if over := maker.over(protocols, protocol):
                newest = last.get(protocol.id)
                revision = max(asked.get(fact.id, 0) for fact in over)
                of_people = kind == human_ratings.KIND and newest is not None and _began_before(newest, heard, now)
                is_wanted = newest is None or newest.revision < revision or of_people
                yield _Place(kind, protocol.id, over, newest, is_wanted, of_people)


def _began_before(newest: Made, at: datetime | None, now: datetime) -> bool:
    """Whether a report was begun before a moment. One that is still to come does not count yet, or the report would be
    made again and again until then."""
    return at is not None and newest.made_at - timedelta(seconds=newest.took_s) < at <= now


def wanted(session: Session, now: datetime, protocols: Collection[int], *, of_people: bool = False) -> int:
    """Return how many reports over any of these protocols are wanted at once, or were made with older people."""
    return sum(
        (place.wanted and any(fact.id in protocols for fact in place.over)) or (of_people and place.of_people)
        for place in _places(session, now)
    )


def due(session: Session, cubes: CubeStore, now: datetime) -> Work | None:
    """The report that waits longest of those that are wanted at once, else of those whose cells have changed and that
    are old enough; None if none is. None is made at once while imported results are still to be counted."""
    revision, uncounted = board_state.current(session)[0], evidence.uncounted(session)
    waiting = []
    for place in _places(session, now):
        at_once = place.wanted and not any(fact.id in uncounted for fact in place.over)
        newest, every = place.newest, KINDS[place.kind].every
        is_old = newest is not None and newest.revision != revision and newest.made_at + _rest(every, newest) <= now
        if at_once or is_old:
            waiting.append((not at_once, now if newest is None else newest.made_at, place.kind, place.protocol, place))
    if not waiting:
        return None
    place = min(waiting, key=lambda entry: entry[:-1])[-1]
    return Work(place.kind, place.protocol, revision, _prepared(session, cubes, place.kind, place.over), now)


def _prepared(session: Session, cubes: CubeStore, kind: str, over: Sequence[ProtocolFact]) -> Any:
    """What a report is made of; None where that cannot be read: the others must not wait for it either."""
    try:
        with session.begin_nested():
            return KINDS[kind].prepare(session, [cubes.load(session, fact) for fact in over])
    except Exception:
        log.exception("report.unread", kind=kind, protocols=[fact.slug for fact in over])
        return None


def _rest(every: timedelta, newest: Made) -> timedelta:
    return max(every, timedelta(seconds=AT_MOST_ONE_IN * newest.took_s))


def keep(session: Session, work: Work, body: Mapping[str, Any] | None, now: datetime) -> None:
    """Store what the work came to; where it failed the report before it stays, to be made again in its turn."""
    took_s = (now - work.since).total_seconds()
    if body is None:
        last = evidence.report(session, work.kind, work.protocol)
        body = KINDS[work.kind].empty if last is None else last.body
    else:
        body = KINDS[work.kind].record(session, body, now)
    evidence.keep_report(session, work.kind, work.protocol, work.revision, dict(body), now, took_s)
