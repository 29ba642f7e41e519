"""Which samples are to be asked or judged now, and how urgent each is."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from sqlalchemy import BindParameter, ColumnElement, and_, case, or_, select, tuple_
from sqlalchemy.orm import aliased

from app.db.kernel.session import Session
from app.db.runs.children import may_be_asked
from app.db.runs.setting.order import NOW, may_be_set
from app.db.tables import (
    Endpoint,
    Problem,
    ProblemVersion,
    Proof,
    ProtocolRow,
    Run,
    Sample,
    Source,
    Submission,
    TestSet,
)
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

    languages: Collection[str]
    by_value: Collection[str] = ()
    states: Collection[tuple[str, ProblemState]] = ()
    unjudged: Collection[str] = ()

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
        return and_(*rules, scenario.not_in(list(self.unjudged))) if self.unjudged else and_(*rules)
