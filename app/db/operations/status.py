"""State of the service: waiting samples, failures, workers, held problems, operators' actions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import and_, func, or_, select, text

from app.db.kernel.session import Session
from app.db.runs.consensus.asking_order import setter_protocols
from app.db.runs.due_work import is_text_in_use
from app.db.sources.visits import newest
from app.db.tables import (
    AuditEntry,
    Capture,
    DirtyCell,
    Endpoint,
    Heartbeat,
    LedgerEntry,
    Model,
    Problem,
    ProofState,
    Run,
    Sample,
    ScrapeRun,
    Source,
    TestSet,
)
from app.domain.sources.schedule import PROBLEMS
from app.domain.states import ProblemState, RunState, SampleState, ScrapeState


@dataclass(frozen=True, slots=True)
class StateDepth:
    """Samples in one state, and when the oldest was planned or entered it (None: unknown)."""

    state: str
    count: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class CaptureCount:
    """Responses of a source by class."""

    source: str
    classification: str
    count: int
    newest: datetime


class HeldProblem(NamedTuple):
    """A problem in quarantine."""

    source: str
    external_id: str
    title: str
    reason: str | None
    released_on: datetime | None
    found_at: datetime


class BrokenSample(NamedTuple):
    """A sample that ended without a verdict."""

    sample_id: int
    state: str
    model: str
    source: str
    external_id: str
    error: str | None
    owner: str | None


class StoppedEndpoint(NamedTuple):
    """An endpoint that is not asked until a person repairs it."""

    model: str
    base_url: str
    reason: str | None
    at: datetime | None


class ScrapeLine(NamedTuple):
    """One visit to a source."""

    source: str
    run: ScrapeRun


@dataclass(frozen=True, slots=True)
class SourceFreshness:
    """Freshness of a source: its last successful visit and its newest problem."""

    slug: str
    name: str
    kind: str
    enabled: bool
    demo: bool
    problems: int
    newest_problem: datetime | None
    last_succeeded: datetime | None
    last_state: str | None
    last_reason: str | None


def ping(session: Session) -> None:
    """Raise if the database does not answer or has no schema."""
    session.execute(text("SELECT revision FROM board_state")).one()


def heartbeats(session: Session) -> list[Heartbeat]:
    """Return every worker's last heartbeat."""
    return list(session.scalars(select(Heartbeat).order_by(Heartbeat.queue, Heartbeat.worker)))


# Counting more rows would take longer than a page or a monitor waits.
MAX_EXACT_COUNT = 2_000_000


def depths(session: Session, most_counted: int = MAX_EXACT_COUNT) -> list[StateDepth]:
    """Return the number of samples by state; the age of answered ones counts from their answer.

    Pending samples of stopped runs or of replaced texts wait for nothing and are left out, as are setters' answers,
    which are never judged. Graded samples have no oldest; beyond `most_counted` samples their number is an estimate in
    two figures.
    """
    others = [state for state in SampleState if state is not SampleState.GRADED]
    is_judged = or_(Sample.state != SampleState.ANSWERED, Run.protocol_id.not_in(setter_protocols()))
    oldest = func.min(func.coalesce(Sample.answered_at, Sample.first_tried_at, Run.created_at))
    rows = session.execute(
        select(Sample.state, func.count(), oldest)
        .join(Run, Run.id == Sample.run_id)
        .where(Sample.state.in_(others))
        .where(or_(and_(Run.state == RunState.ACTIVE, is_text_in_use()), Sample.state != SampleState.PENDING))
        .where(is_judged)
        .group_by(Sample.state)
    )
    by_state = {state: StateDepth(state, count, since) for state, count, since in rows}
    by_state[SampleState.GRADED] = StateDepth(SampleState.GRADED, _count_graded(session, others, most_counted), None)
    return [by_state.get(state, StateDepth(state, 0, None)) for state in SampleState]


def _count_graded(session: Session, others: Sequence[SampleState], most_counted: int) -> int:
    # The server's own estimate; -1 for a table without statistics.
    estimate = session.scalar(text("SELECT reltuples FROM pg_class WHERE oid = 'samples'::regclass")) or 0
    if estimate <= most_counted:
        return session.scalar(select(func.count()).where(Sample.state == SampleState.GRADED)) or 0
    rest = session.scalar(select(func.count()).where(Sample.state.in_(others))) or 0
    about = max(0, int(estimate) - rest)
    return round(about, 2 - len(str(about)))


def waiting_proofs(session: Session) -> int:
    """Return the number of test sets that wait for their proof."""
    return session.scalar(select(func.count()).where(TestSet.proof == ProofState.WAITING)) or 0


def dirty_cells(session: Session) -> int:
    """Return the number of marks of changed cells."""
    return session.scalar(select(func.count(DirtyCell.id))) or 0


def scrapes(session: Session, limit: int = 25) -> list[ScrapeLine]:
    """Return the newest visits to sources."""
    rows = session.execute(
        select(Source.slug, ScrapeRun)
        .join(ScrapeRun, ScrapeRun.source_id == Source.id)
        .order_by(ScrapeRun.id.desc())
        .limit(limit)
    )
    return [ScrapeLine(slug, run) for slug, run in rows]


def capture_counts(session: Session) -> list[CaptureCount]:
    """Return the number of responses by source and class."""
    rows = session.execute(
        select(Source.slug, Capture.classification, func.count(), func.max(Capture.fetched_at))
        .join(Source, Source.id == Capture.source_id)
        .group_by(Source.slug, Capture.classification)
        .order_by(Source.slug, Capture.classification)
    )
    return [CaptureCount(*row) for row in rows]


def held_count(session: Session) -> int:
    """Return the number of problems in quarantine."""
    return session.scalar(select(func.count()).where(Problem.state == ProblemState.HELD)) or 0


def held_problems(session: Session, limit: int = 200) -> list[HeldProblem]:
    """Return the problems in quarantine, newest first."""
    rows = session.execute(
        select(
            Source.slug, Problem.external_id, Problem.title, Problem.hold_reason, Problem.released_on, Problem.found_at
        )
        .join(Source, Source.id == Problem.source_id)
        .where(Problem.state == ProblemState.HELD)
        .order_by(Problem.found_at.desc(), Problem.id.desc())
        .limit(limit)
    )
    return [HeldProblem(*row) for row in rows]


def broken_samples(session: Session, limit: int = 100) -> list[BrokenSample]:
    """Return the samples that gave up or are stuck, newest first."""
    rows = session.execute(
        select(Sample.id, Sample.state, Model.slug, Source.slug, Problem.external_id, Sample.error, Sample.error_owner)
        .join(Run, Run.id == Sample.run_id)
        .join(Model, Model.id == Run.model_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Source, Source.id == Problem.source_id)
        .where(Sample.state.in_([SampleState.GAVE_UP, SampleState.STUCK]))
        .order_by(Sample.id.desc())
        .limit(limit)
    )
    return [BrokenSample(*row) for row in rows]


def stopped_endpoints(session: Session) -> list[StoppedEndpoint]:
    """Return the stopped endpoints with the reason, the last stop first."""
    rows = session.execute(
        select(Model.slug, Endpoint.base_url, Endpoint.stopped_reason, Endpoint.stopped_at)
        .join(Model, Model.id == Endpoint.model_id)
        .where(Endpoint.stopped_at.is_not(None))
        .order_by(Endpoint.stopped_at.desc())
    )
    return [StoppedEndpoint(*row) for row in rows]


def audit_entries(session: Session, limit: int = 50) -> list[AuditEntry]:
    """Return the newest entries of the audit log."""
    return list(session.scalars(select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)))


def ledger_entries(session: Session, limit: int = 20) -> list[LedgerEntry]:
    """Return the newest entries of the public ledger."""
    return list(session.scalars(select(LedgerEntry).order_by(LedgerEntry.id.desc()).limit(limit)))


def freshness(session: Session) -> list[SourceFreshness]:
    """Return the freshness of each source."""
    counted = (
        select(Problem.source_id, func.count().label("problems"), func.max(Problem.released_on).label("newest"))
        .where(Problem.state == ProblemState.PUBLISHED, Problem.canary.is_(False))
        .group_by(Problem.source_id)
        .subquery()
    )
    good = newest(ScrapeRun.purpose == PROBLEMS, ScrapeRun.state == ScrapeState.SUCCEEDED)
    last = newest(ScrapeRun.purpose == PROBLEMS)
    rows = session.execute(
        select(
            Source.slug, Source.name, Source.kind, Source.enabled, Source.demo,
            func.coalesce(counted.c.problems, 0), counted.c.newest, good.finished_at, last.state, last.reason,
        )
        .outerjoin(counted, counted.c.source_id == Source.id)
        .outerjoin(good, good.source_id == Source.id)
        .outerjoin(last, last.source_id == Source.id)
        .order_by(Source.slug)
    )  # fmt: skip
    return [SourceFreshness(*row) for row in rows]
