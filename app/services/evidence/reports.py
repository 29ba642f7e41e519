"""Long computations over cells, made by the clock now and then; pages show the newest with its date."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from structlog import get_logger

from app.db.boards import cells
from app.db.boards.cells import ProtocolFact
from app.db.evidence import evidence
from app.db.kernel import revision as board_state
from app.db.kernel.session import Session
from app.services.boards.cubes import CubeStore, Loaded
from app.services.evidence import contamination, ease, human_ratings

log = get_logger(__name__)

# Cells change all day; a report is made again once so long has passed, or so many times what it took to make.
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


def due(session: Session, cubes: CubeStore, now: datetime) -> Work | None:
    """The report that waits longest of those whose cells have changed and that are old enough; None if none is."""
    revision = board_state.current(session)[0]
    protocols = {protocol.id: protocol for protocol in cells.protocols(session)}
    waiting = []
    for kind, maker in KINDS.items():
        last = evidence.reported(session, kind, list(protocols))
        for protocol in (value.id for value in protocols.values() if maker.over(list(protocols.values()), value)):
            newest = last.get(protocol)
            if newest is None or (newest.revision != revision and newest.made_at + _rest(maker, newest.took_s) <= now):
                waiting.append((newest is not None, newest.made_at if newest else now, kind, protocol))
    if not waiting:
        return None
    *_, kind, protocol = min(waiting)
    over = KINDS[kind].over(list(protocols.values()), protocols[protocol])
    return Work(kind, protocol, revision, _prepared(session, cubes, kind, over), now)


def _prepared(session: Session, cubes: CubeStore, kind: str, over: Sequence[ProtocolFact]) -> Any:
    """What a report is made of; None where that cannot be read: the others must not wait for it either."""
    try:
        with session.begin_nested():
            return KINDS[kind].prepare(session, [cubes.load(session, fact) for fact in over])
    except Exception:
        log.exception("report.unread", kind=kind, protocols=[fact.slug for fact in over])
        return None


def _rest(kind: Kind, took_s: float) -> timedelta:
    return max(kind.every, timedelta(seconds=AT_MOST_ONE_IN * took_s))


def keep(session: Session, work: Work, body: Mapping[str, Any] | None, now: datetime) -> None:
    """Store what the work came to; where it failed the report before it stays, to be made again in its turn."""
    took_s = (now - work.since).total_seconds()
    if body is None:
        last = evidence.report(session, work.kind, work.protocol)
        body = KINDS[work.kind].empty if last is None else last.body
    else:
        body = KINDS[work.kind].record(session, body, now)
    evidence.keep_report(session, work.kind, work.protocol, work.revision, dict(body), now, took_s)
