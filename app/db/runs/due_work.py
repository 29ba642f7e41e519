"""Due work: the samples to ask or judge now, and their urgency."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import NamedTuple

from sqlalchemy import BindParameter, ColumnElement, ScalarSelect, Select, and_, case, func, or_, select, tuple_
from sqlalchemy.orm import aliased

from app.db.kernel.instant import NOW
from app.db.kernel.session import Session
from app.db.runs.child_samples import may_be_asked
from app.db.runs.consensus.asking_order import may_ask_setter, statement_values
from app.db.tables import (
    DirtyCell,
    Endpoint,
    Problem,
    ProblemVersion,
    ProofState,
    ProtocolRow,
    Run,
    Sample,
    ScoreCause,
    Source,
    Submission,
    TestSet,
)
from app.db.tables.base import Base
from app.domain.asking.protocols import ANY_LANGUAGE, CHOSEN_LANGUAGE_KEY
from app.domain.asking.urgency import FRESH_FOR, Urgency
from app.domain.publishing.holds import MAX_PROOF_ATTEMPTS
from app.domain.states import ENDED_SUBMISSIONS, ProblemState, RunState, SampleState

QUARANTINE_MARK = "said"  # audit flag of a formerly public problem: the objection of an audit


def is_due(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Return the condition that a sample's retry delay is over."""
    return or_(Sample.not_before.is_(None), Sample.not_before <= now)


def is_text_in_use() -> ColumnElement[bool]:
    """Return the condition that a sample's text is in use; other answers neither count nor are asked for."""
    version = select(ProblemVersion.id).where(ProblemVersion.id == Sample.problem_version_id, ProblemVersion.in_use)
    return version.exists()


def may_be_sent() -> ColumnElement[bool]:
    """Return the condition that the source of a sample's problem allows sending statements to models."""
    forbidden = select(Problem.id).join(Source, Source.id == Problem.source_id).where(Source.send_statements.is_(False))
    return Sample.problem_id.not_in(forbidden)


@cache
def ask_conditions() -> tuple[ColumnElement[bool], ...]:
    """Return the conditions on samples to ask; their statement also needs the parameters for setters' samples."""
    return (
        Run.state == RunState.ACTIVE, Sample.state == SampleState.PENDING, is_text_in_use(), may_be_asked(),
        may_be_sent(), is_due(NOW), is_not_held_unseen(), may_ask_setter(),
    )  # fmt: skip


@cache
def is_not_held_unseen() -> ColumnElement[bool]:
    """Return the condition that a sample's problem is not held, or was public before."""
    problem = aliased(Problem)
    unseen = and_(problem.state == ProblemState.HELD, ~problem.audit_flags.has_key(QUARANTINE_MARK))
    return ~select(problem.id).where(problem.id == Sample.problem_id, unseen).exists()


def urgency(now: datetime | BindParameter[datetime]) -> ColumnElement[int]:
    """Return a sample's urgency, least number first; the query must join its run and its problem."""
    ordered = select(Submission.run_id).where(
        Submission.run_id.is_not(None), Submission.state.not_in(sorted(ENDED_SUBMISSIONS))
    )
    return case(
        (Run.id.in_(ordered), int(Urgency.ORDERED)),
        (Problem.released_on >= now - FRESH_FOR, int(Urgency.FRESH)),
        else_=int(Urgency.BACKFILL),
    )


def record_waiting(session: Session, endpoint_ids: set[int], now: datetime) -> None:
    """Record since when each of these endpoints waits for a slice; the others do not wait."""
    waits = Endpoint.id.in_(endpoint_ids)
    changed = or_(waits & Endpoint.due_since.is_(None), ~waits & Endpoint.due_since.is_not(None))
    for row in session.scalars(
        select(Endpoint).where(changed).order_by(Endpoint.id).with_for_update(skip_locked=True)
    ):  # fmt: skip
        row.due_since = now if row.id in endpoint_ids else None


@dataclass(frozen=True, slots=True)
class GradingFilter:
    """Choice of the answers that can be judged, by language, scenario and problem state.

    Answers are in these `languages`, or of scenarios whose answers are values (`by_value`). Problems are published, or
    in another state in which a scenario is asked (`states`). Answers of the `unjudged` scenarios are never judged.
    """

    languages: tuple[str, ...]
    by_value: tuple[str, ...] = ()
    states: tuple[tuple[str, ProblemState], ...] = ()
    unjudged: tuple[str, ...] = ()

    def has_grader(self) -> ColumnElement[bool]:
        """Return the condition that a worker can judge an answer under its protocol, or that it has no program."""
        scenario, language = (ProtocolRow.body[name].astext for name in ("scenario", "language"))
        chosen = or_(Sample.answer.is_(None), Sample.provenance[CHOSEN_LANGUAGE_KEY].astext.in_(self.languages))
        return or_(language.in_(self.languages), scenario.in_(self.by_value), and_(language == ANY_LANGUAGE, chosen))

    def has_tests(self) -> ColumnElement[bool]:
        """Return the condition that an answer's problem has tests in use, no pending proof, and an allowed state."""
        scenario = ProtocolRow.body["scenario"].astext
        unpublished = tuple_(scenario, Problem.state).in_(list(self.states))
        to_come = and_(TestSet.proof == ProofState.WAITING, TestSet.attempts < MAX_PROOF_ATTEMPTS)
        waits = select(TestSet.id).where(TestSet.id == Problem.current_test_set_id, to_come).exists()
        state = and_(Problem.state == ProblemState.PUBLISHED, ~waits)
        rules = [Problem.current_test_set_id.is_not(None), or_(state, unpublished) if self.states else state]
        return and_(*rules, scenario.not_in(self.unjudged)) if self.unjudged else and_(*rules)


class DueEndpoint(NamedTuple):
    """A waiting endpoint, whether GPU workers serve it, and the urgency of its most urgent due sample."""

    id: int
    local: bool
    urgency: Urgency


@dataclass(frozen=True, slots=True)
class DueWork:
    """Unclaimed work at an instant."""

    endpoints: tuple[int, ...]  # with an address
    local: bool  # weights that GPU workers serve
    grading: int  # unclaimed answers
    judging: int  # answers not judged yet, claimed ones and waiting retries included
    dirty: int  # marks of changed cells, and ledger lines whose effect on scores is unchecked
    proofs: int
    consensuses: int = 0  # consensus builds that can start
    fresh_consensus: bool = False  # one of them is of a fresh problem, and none is under way
    derivations: int = 0  # derivations that can start


def due_endpoints(session: Session, now: datetime) -> list[DueEndpoint]:
    """Return the unclaimed endpoints with a due sample."""
    rows = session.execute(_due_endpoints(), statement_values(session, now))
    return [DueEndpoint(endpoint, local, Urgency(most)) for endpoint, local, most in rows]


@cache
def _due_endpoints() -> Select[int, bool, int]:
    free = or_(Endpoint.lease_until.is_(None), Endpoint.lease_until <= NOW)
    return (
        select(Endpoint.id, Endpoint.weights.is_not(None), func.min(urgency(NOW)))
        .join(Run, Run.endpoint_id == Endpoint.id)
        .join(Sample, Sample.run_id == Run.id)
        .join(Problem, Problem.id == Sample.problem_id)
        .where(Endpoint.stopped_at.is_(None), free, *ask_conditions())
        .group_by(Endpoint.id)
    )


def find_due_work(session: Session, now: datetime, gradable: GradingFilter) -> DueWork:
    """Return the queues' unclaimed work, whatever the language of the answers to judge."""
    endpoints = due_endpoints(session, now)
    grading, judging, dirty, proofs = session.execute(_backlog(gradable), {NOW.key: now}).one()
    return DueWork(
        endpoints=tuple(row.id for row in endpoints if not row.local),
        local=any(row.local for row in endpoints),
        grading=grading,
        judging=judging,
        dirty=dirty,
        proofs=proofs,
    )


@cache
def _backlog(gradable: GradingFilter) -> Select[int, int, int, int]:
    """Select the numbers of unclaimed answers, unjudged answers, pending changes, and waiting proofs."""
    answers = (
        select(func.count().filter(Sample.state == SampleState.ANSWERED, is_due(NOW)), func.count())
        .select_from(Sample)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(gradable.has_tests(), Sample.state.in_((SampleState.ANSWERED, SampleState.GRADING)))
        .subquery()
    )

    def count_rows(table: type[Base], *where: ColumnElement[bool]) -> ScalarSelect[int]:
        return select(func.count()).select_from(table).where(*where).scalar_subquery()

    return select(
        *answers.c,
        count_rows(DirtyCell) + count_rows(ScoreCause),
        count_rows(TestSet, TestSet.proof == ProofState.WAITING, TestSet.attempts < MAX_PROOF_ATTEMPTS),
    )
