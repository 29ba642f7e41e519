"""Which samples are to be asked or judged now, and how urgent each is."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import NamedTuple

from sqlalchemy import BindParameter, ColumnElement, ScalarSelect, Select, and_, case, func, or_, select, tuple_
from sqlalchemy.orm import aliased

from app.db.kernel.instant import NOW
from app.db.kernel.session import Session
from app.db.runs.children import may_be_asked
from app.db.runs.setting.order import given, may_be_set
from app.db.tables import (
    DirtyCell,
    Endpoint,
    Problem,
    ProblemVersion,
    Proof,
    ProtocolRow,
    Run,
    Sample,
    ScoreCause,
    Source,
    Submission,
    TestSet,
)
from app.db.tables.base import Base
from app.domain.asking.protocols import ANY, CHOSEN
from app.domain.asking.urgency import FRESH_FOR, Urgency
from app.domain.publishing.holds import MAX_PROOF_ATTEMPTS
from app.domain.states import ENDED_ORDERS, ProblemState, RunState, SampleState

SAID = "said"  # marks a problem that was public: what an audit said against it


def is_due(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    """Whether a sample's time to be tried again has come."""
    return or_(Sample.not_before.is_(None), Sample.not_before <= now)


def of_text_in_use() -> ColumnElement[bool]:
    """An answer to a text that was replaced counts nowhere, and is not asked for any more."""
    version = select(ProblemVersion.id).where(ProblemVersion.id == Sample.problem_version_id, ProblemVersion.in_use)
    return version.exists()


def may_be_sent() -> ColumnElement[bool]:
    """What was planned of a source is not sent once an operator forbids it."""
    kept = select(Problem.id).join(Source, Source.id == Problem.source_id).where(Source.send_statements.is_(False))
    return Sample.problem_id.not_in(kept)


@cache
def to_ask() -> tuple[ColumnElement[bool], ...]:
    """Which samples of which runs are to be asked, in statements that are executed with what is `given` now."""
    return (
        Run.state == RunState.ACTIVE, Sample.state == SampleState.PENDING, of_text_in_use(), may_be_asked(),
        may_be_sent(), is_due(NOW), not_held_unseen(), may_be_set(),
    )  # fmt: skip


@cache
def not_held_unseen() -> ColumnElement[bool]:
    """What was asked early is asked no more once its problem is held and never was public: nothing may come of it."""
    problem = aliased(Problem)
    unseen = and_(problem.state == ProblemState.HELD, ~problem.audit_flags.has_key(SAID))
    return ~select(problem.id).where(problem.id == Sample.problem_id, unseen).exists()


def urgency(now: datetime | BindParameter[datetime]) -> ColumnElement[int]:
    """How urgent a sample is, of a query that joins its run and its problem; the least number first."""
    ordered = select(Submission.run_id).where(
        Submission.run_id.is_not(None), Submission.state.not_in(sorted(ENDED_ORDERS))
    )
    return case(
        (Run.id.in_(ordered), int(Urgency.ORDERED)),
        (Problem.released_on >= now - FRESH_FOR, int(Urgency.FRESH)),
        else_=int(Urgency.BACKFILL),
    )


def note_waiting(session: Session, endpoint_ids: set[int], now: datetime) -> None:
    """Keep since when each of these endpoints waits for a slice; the others wait for none."""
    waits = Endpoint.id.in_(endpoint_ids)
    changed = or_(waits & Endpoint.due_since.is_(None), ~waits & Endpoint.due_since.is_not(None))
    for row in session.scalars(
        select(Endpoint).where(changed).order_by(Endpoint.id).with_for_update(skip_locked=True)
    ):  # fmt: skip
        row.due_since = now if row.id in endpoint_ids else None


@dataclass(frozen=True, slots=True)
class Gradable:
    """Which answers can be judged: in these languages, or of scenarios whose answers are values; of problems that are
    published, or in another state in which a scenario is asked. Those of the `unjudged` scenarios never are."""

    languages: tuple[str, ...]
    by_value: tuple[str, ...] = ()
    states: tuple[tuple[str, ProblemState], ...] = ()
    unjudged: tuple[str, ...] = ()

    def by_these(self) -> ColumnElement[bool]:
        """Whether somebody can judge an answer under its protocol; without a program anybody can."""
        scenario, language = (ProtocolRow.body[name].astext for name in ("scenario", "language"))
        chosen = or_(Sample.answer.is_(None), Sample.provenance[CHOSEN].astext.in_(self.languages))
        return or_(language.in_(self.languages), scenario.in_(self.by_value), and_(language == ANY, chosen))

    def ready(self) -> ColumnElement[bool]:
        """Whether there is something to judge the answers to a problem by, and no proof of it still to come."""
        scenario = ProtocolRow.body["scenario"].astext
        unpublished = tuple_(scenario, Problem.state).in_(list(self.states))
        to_come = and_(TestSet.proof == Proof.WAITING, TestSet.attempts < MAX_PROOF_ATTEMPTS)
        waits = select(TestSet.id).where(TestSet.id == Problem.current_test_set_id, to_come).exists()
        state = and_(Problem.state == ProblemState.PUBLISHED, ~waits)
        rules = [Problem.current_test_set_id.is_not(None), or_(state, unpublished) if self.states else state]
        return and_(*rules, scenario.not_in(self.unjudged)) if self.unjudged else and_(*rules)


class DueEndpoint(NamedTuple):
    """An endpoint that waits, whether GPU workers serve it, and the most urgent sample that is due there."""

    id: int
    local: bool
    urgency: Urgency


@dataclass(frozen=True, slots=True)
class Due:
    """What could be worked on at an instant."""

    endpoints: tuple[int, ...]  # with an address
    local: bool  # weights that GPU workers serve
    grading: int  # answers nobody has taken
    judging: int  # answers not judged yet, taken or waiting for another try
    dirty: int  # cells to bring up to date, and lines of the ledger whose effect on scores is to be told
    proofs: int
    settings: int = 0  # problems whose setters have answered
    derivations: int = 0  # problems that are to yield items of their own


def due_endpoints(session: Session, now: datetime) -> list[DueEndpoint]:
    """Endpoints that nobody asks now and that are wanted for a sample that is due."""
    rows = session.execute(_due_endpoints(), given(session, now))
    return [DueEndpoint(endpoint, local, Urgency(most)) for endpoint, local, most in rows]


@cache
def _due_endpoints() -> Select[int, bool, int]:
    free = or_(Endpoint.lease_until.is_(None), Endpoint.lease_until <= NOW)
    return (
        select(Endpoint.id, Endpoint.weights.is_not(None), func.min(urgency(NOW)))
        .join(Run, Run.endpoint_id == Endpoint.id)
        .join(Sample, Sample.run_id == Run.id)
        .join(Problem, Problem.id == Sample.problem_id)
        .where(Endpoint.stopped_at.is_(None), free, *to_ask())
        .group_by(Endpoint.id)
    )


def due(session: Session, now: datetime, gradable: Gradable) -> Due:
    """Which queues hold work that nobody has taken, whatever the language of the answers to judge."""
    endpoints = due_endpoints(session, now)
    grading, judging, dirty, proofs = session.execute(_backlog(gradable), {NOW.key: now}).one()
    return Due(
        endpoints=tuple(row.id for row in endpoints if not row.local),
        local=any(row.local for row in endpoints),
        grading=grading,
        judging=judging,
        dirty=dirty,
        proofs=proofs,
    )


@cache
def _backlog(gradable: Gradable) -> Select[int, int, int, int]:
    """How many answers nobody has taken and how many are not judged, changes whose effect is to come, and proofs."""
    answers = (
        select(func.count().filter(Sample.state == SampleState.ANSWERED, is_due(NOW)), func.count())
        .select_from(Sample)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(gradable.ready(), Sample.state.in_((SampleState.ANSWERED, SampleState.GRADING)))
        .subquery()
    )

    def many(table: type[Base], *where: ColumnElement[bool]) -> ScalarSelect[int]:
        return select(func.count()).select_from(table).where(*where).scalar_subquery()

    return select(
        *answers.c,
        many(DirtyCell) + many(ScoreCause),
        many(TestSet, TestSet.proof == Proof.WAITING, TestSet.attempts < MAX_PROOF_ATTEMPTS),
    )
