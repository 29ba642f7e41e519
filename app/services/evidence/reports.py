"""Long computations over cells, run by the clock now and then; pages show the newest with its date."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from structlog import get_logger

from app.db.boards import cells
from app.db.boards.cells import ProtocolFact
from app.db.evidence import evidence
from app.db.evidence.evidence import ReportMetadata
from app.db.kernel import revision as board_state
from app.db.kernel.session import Session
from app.services.boards.cubes import CubeStore, LoadedProtocol
from app.services.evidence import contamination, ease, human_ratings

log = get_logger(__name__)

# Cells change all day; a report is made again after this time, or this many times as long as it took to make. After an
# import or an edit of a cutoff it is made at once.
EVERY, AT_MOST_ONE_IN = timedelta(minutes=10), 200


class ReportMaker(NamedTuple):
    """A kind of report: how its data are read while a session is open, and how it is computed without one.

    `prepare` gets the cells of the protocols that `over` names for the one the report is stored under; if it names
    none, there is no report. `record` stores facts that were found and returns the rest of the report. A report is made
    at most once per `every`.
    """

    prepare: Callable[[Session, Sequence[LoadedProtocol]], Any]
    make: Callable[[Any], dict[str, Any]]
    empty: Mapping[str, Any]
    over: Callable[[Sequence[ProtocolFact], ProtocolFact], Sequence[ProtocolFact]]
    record: Callable[[Session, Mapping[str, Any], datetime], Mapping[str, Any]]
    every: timedelta = EVERY


def _one_protocol_report(
    prepare: Callable[[Session, LoadedProtocol], Any],
    make: Callable[[Any], dict[str, Any]],
    empty: Mapping[str, Any],
    every: timedelta = EVERY,
) -> ReportMaker:
    """Return a report over one protocol that stores nothing else."""
    return ReportMaker(
        lambda session, loaded: prepare(session, loaded[0]), make, empty,
        lambda _known, protocol: (protocol,), lambda _session, body, _now: body, every,
    )  # fmt: skip


REPORT_MAKERS: Mapping[str, ReportMaker] = {
    contamination.KIND: _one_protocol_report(contamination.prepare, contamination.assess_protocol, contamination.EMPTY),
    human_ratings.KIND: _one_protocol_report(
        # A row has no rating before all problems of a contest are judged; a new one should appear soon after.
        human_ratings.prepare,
        human_ratings.rate_rows,
        human_ratings.EMPTY,
        timedelta(minutes=1),
    ),
    ease.KIND: ReportMaker(ease.prepare, ease.measure_ease, ease.EMPTY, ease.protocols_of_scenario, ease.freeze),
}


@dataclass(frozen=True, slots=True)
class ReportJob:
    """A report that is due, with its inputs as of `revision`."""

    kind: str
    protocol: int
    revision: int
    inputs: Any
    since: datetime

    def make(self) -> dict[str, Any] | None:
        """Compute the report; slow, without a database. None if it fails: the other reports must not wait for it."""
        if self.inputs is None:  # reading them failed
            return None
        try:
            return REPORT_MAKERS[self.kind].make(self.inputs)
        except Exception:
            log.exception("report.failed", kind=self.kind, protocol=self.protocol)
            return None


class _ReportSlot(NamedTuple):
    """A possible report: the protocol it is stored under, the protocols it covers, and the newest one.

    It is `wanted` at once if there is none, or if an operator has changed its inputs since; `of_people` if that was an
    import of ratings or standings of people.
    """

    kind: str
    protocol: int
    over: Sequence[ProtocolFact]
    newest: ReportMetadata | None
    wanted: bool
    of_people: bool


def _report_slots(session: Session, now: datetime) -> Iterator[_ReportSlot]:
    protocols, requested, people_at = (
        cells.protocols(session),
        evidence.requested_revisions(session),
        evidence.people_imported_at(session),
    )
    for kind, maker in REPORT_MAKERS.items():
        last = evidence.report_metadata(session, kind, [protocol.id for protocol in protocols])
        for protocol in protocols:
            if over := maker.over(protocols, protocol):
                newest = last.get(protocol.id)
                revision = max(requested.get(fact.id, 0) for fact in over)
                of_people = kind == human_ratings.KIND and newest is not None and _began_before(newest, people_at, now)
                is_wanted = newest is None or newest.revision < revision or of_people
                yield _ReportSlot(kind, protocol.id, over, newest, is_wanted, of_people)


def _began_before(newest: ReportMetadata, at: datetime | None, now: datetime) -> bool:
    """Return True if a report was begun before a moment.

    A moment still to come does not count, or the report would be made again and again until then.
    """
    return at is not None and newest.made_at - timedelta(seconds=newest.took_s) < at <= now


def count_wanted(session: Session, now: datetime, protocols: Collection[int], *, of_people: bool = False) -> int:
    """Return how many reports over any of these protocols are wanted at once, or were made with older people."""
    return sum(
        (place.wanted and any(fact.id in protocols for fact in place.over)) or (of_people and place.of_people)
        for place in _report_slots(session, now)
    )


def claim_due_report(session: Session, cubes: CubeStore, now: datetime) -> ReportJob | None:
    """Return the report that waits longest among those wanted at once, else among old ones whose cells have changed.

    None if none is due. None is made at once while imported results are still to be counted.
    """
    revision, uncounted = board_state.current(session)[0], evidence.uncounted_protocols(session)
    waiting = []
    for place in _report_slots(session, now):
        at_once = place.wanted and not any(fact.id in uncounted for fact in place.over)
        newest, every = place.newest, REPORT_MAKERS[place.kind].every
        is_old = (
            newest is not None and newest.revision != revision and newest.made_at + _rest_time(every, newest) <= now
        )
        if at_once or is_old:
            waiting.append((not at_once, now if newest is None else newest.made_at, place.kind, place.protocol, place))
    if not waiting:
        return None
    place = min(waiting, key=lambda entry: entry[:-1])[-1]
    return ReportJob(place.kind, place.protocol, revision, _prepare_inputs(session, cubes, place.kind, place.over), now)


def _prepare_inputs(session: Session, cubes: CubeStore, kind: str, over: Sequence[ProtocolFact]) -> Any:
    """Return the inputs of a report; None if they cannot be read: the other reports must not wait for it."""
    try:
        with session.begin_nested():
            return REPORT_MAKERS[kind].prepare(session, [cubes.load(session, fact) for fact in over])
    except Exception:
        log.exception("report.unread", kind=kind, protocols=[fact.slug for fact in over])
        return None


def _rest_time(every: timedelta, newest: ReportMetadata) -> timedelta:
    return max(every, timedelta(seconds=AT_MOST_ONE_IN * newest.took_s))


def store_report(session: Session, work: ReportJob, body: Mapping[str, Any] | None, now: datetime) -> None:
    """Store the result of the job; if it failed, the report before it stays until its next turn."""
    took_s = (now - work.since).total_seconds()
    if body is None:
        last = evidence.report(session, work.kind, work.protocol)
        body = REPORT_MAKERS[work.kind].empty if last is None else last.body
    else:
        body = REPORT_MAKERS[work.kind].record(session, body, now)
    evidence.keep_report(session, work.kind, work.protocol, work.revision, dict(body), now, took_s)
