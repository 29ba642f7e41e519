"""Rejudgings: their scope, the queue of their answers, and the grader revisions that made verdicts here."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, Select, and_, exists, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from app.db.kernel.instant import NOW
from app.db.kernel.leases import Lease
from app.db.kernel.session import Session
from app.db.runs.due_work import GradingFilter, is_text_in_use
from app.db.tables import (
    Contest,
    GraderRevision,
    Model,
    Problem,
    ProblemAlias,
    ProtocolRow,
    RejudgedSample,
    Rejudging,
    Run,
    Sample,
    Source,
    VerdictRow,
)
from app.db.tables.base import ReasonType
from app.domain.rejudging.scope import RejudgingScope, ScopeKind, lineage
from app.domain.states import (
    ENDED_JUDGE,
    MAX_GRADING_ATTEMPTS,
    RejudgedState,
    RejudgingState,
    SampleState,
)


def add(session: Session, scope: RejudgingScope, reason: str, actor: str, now: datetime) -> Rejudging:
    """Add a rejudging in the state `proposed`."""
    rejudging = Rejudging(
        scope=scope.as_json(), reason=reason, actor=actor,
        state=RejudgingState.PROPOSED, state_since=now, created_at=now,
    )  # fmt: skip
    session.add(rejudging)
    session.flush()
    return rejudging


def lock_rejudging(session: Session, rejudging_id: int) -> Rejudging | None:
    """Return a rejudging, locked until the transaction ends."""
    return session.get(Rejudging, rejudging_id, with_for_update=True, populate_existing=True)


def newest(session: Session, limit: int) -> list[Rejudging]:
    """Return the newest rejudgings, unfinished ones first."""
    over = Rejudging.state.in_((RejudgingState.COMMITTED, RejudgingState.DROPPED))
    return list(session.scalars(select(Rejudging).order_by(over, Rejudging.id.desc()).limit(limit)))


def is_open_for(session: Session, test_set_id: int) -> bool:
    """Return whether an unfinished rejudging would put these tests in use."""
    over = (RejudgingState.COMMITTED, RejudgingState.DROPPED)
    same = Rejudging.scope["test_set"].astext == str(test_set_id)
    return bool(session.scalar(select(exists().where(same, Rejudging.state.not_in(over)))))


def open_with_tests(session: Session) -> list[Rejudging]:
    """Return the unfinished rejudgings that would put other tests in use, oldest first."""
    over = (RejudgingState.COMMITTED, RejudgingState.DROPPED)
    wanted = select(Rejudging).where(Rejudging.scope.has_key("test_set"), Rejudging.state.not_in(over))
    return list(session.scalars(wanted.order_by(Rejudging.id)))


def open_count(session: Session) -> int:
    """Return the number of unfinished rejudgings."""
    over = (RejudgingState.COMMITTED, RejudgingState.DROPPED)
    return session.scalar(select(func.count()).select_from(Rejudging).where(Rejudging.state.not_in(over))) or 0


def in_scope(session: Session, scope: RejudgingScope) -> ColumnElement[bool] | None:
    """Return the condition on (sample, run, problem, verdict) for a scope, or None if its name is unknown."""
    match scope.kind:
        case ScopeKind.PROBLEM:
            source, _, name = scope.name.partition("/")
            alias = select(ProblemAlias.problem_id).where(ProblemAlias.alias == name)
            problems = select(Problem.id).join(Source, Source.id == Problem.source_id)
            problems = problems.where(Source.slug == source, or_(Problem.external_id == name, Problem.id.in_(alias)))
            return _in_known(session, Sample.problem_id, problems)
        case ScopeKind.CONTEST:
            source, _, name = scope.name.partition(":")
            contest = select(Contest.id).join(Source, Source.id == Contest.source_id)
            return _in_known(
                session, Problem.contest_id, contest.where(Source.slug == source, Contest.external_id == name)
            )
        case ScopeKind.MODEL:
            return _in_known(session, Run.model_id, select(Model.id).where(Model.slug == scope.name))
        case ScopeKind.PROTOCOL:
            return _in_known(session, Run.protocol_id, select(ProtocolRow.id).where(ProtocolRow.slug == scope.name))
        case ScopeKind.SOURCE:
            return _in_known(session, Problem.source_id, select(Source.id).where(Source.slug == scope.name))
        case ScopeKind.GRADER:
            kin = select(GraderRevision.revision).where(
                GraderRevision.lineage == lineage(scope.name), GraderRevision.revision != scope.name
            )
            return VerdictRow.grader_revision.in_(kin)


def _in_known(session: Session, column: Any, ids: Select[Any]) -> ColumnElement[bool] | None:
    matches = session.scalars(ids.limit(2)).all()
    return column.in_(matches) if matches else None


def _answers_in(condition: ColumnElement[bool], *columns: Any) -> Select[Any]:
    """Select graded answers to the text in use that have a counting verdict under the current tests."""
    return (
        select(*columns)
        .select_from(Sample)
        .join(Run, Run.id == Sample.run_id)
        .join(Problem, Problem.id == Sample.problem_id)
        .join(
            VerdictRow,
            and_(
                VerdictRow.sample_id == Sample.id,
                VerdictRow.test_set_id == Problem.current_test_set_id,
                VerdictRow.counts,
            ),
        )
        .where(Sample.state == SampleState.GRADED, is_text_in_use(), condition)
    )


def count_in_scope(session: Session, condition: ColumnElement[bool]) -> int:
    """Return the number of answers in a scope."""
    return session.scalar(_answers_in(condition, func.count(Sample.id))) or 0


def counts_in_public(session: Session, problem_id: int) -> bool:
    """Return whether a verdict on a public run's answer counts under the problem's current tests."""
    return count_in_scope(session, and_(Sample.problem_id == problem_id, Run.public)) > 0


def take_answers(session: Session, rejudging_id: int, scope: RejudgingScope) -> int:
    """Queue the answers in scope with their counting verdicts, and return how many wait.

    Answers that were queued before stay as they are.
    """
    condition = in_scope(session, scope)
    if condition is None:
        return 0
    tests = VerdictRow.test_set_id if scope.test_set is None else literal(scope.test_set)
    chosen = _answers_in(condition, literal(rejudging_id), Sample.id, tests, VerdictRow.id)
    columns = ["rejudging_id", "sample_id", "test_set_id", "old_verdict_id"]
    session.execute(insert(RejudgedSample).from_select(columns, chosen).on_conflict_do_nothing())
    return progress(session, rejudging_id)[RejudgedState.WAITING]


@dataclass(frozen=True, slots=True)
class RejudgingClaim:
    """An answer leased to be judged again."""

    rejudging_id: int
    sample_id: int
    test_set_id: int
    attempts: int


def _is_unleased(now: datetime | BindParameter[datetime]) -> ColumnElement[bool]:
    return or_(RejudgedSample.lease_until.is_(None), RejudgedSample.lease_until <= now)


def _waiting() -> ColumnElement[bool]:
    return RejudgedSample.state == RejudgedState.WAITING


def claim(session: Session, lease: Lease, now: datetime, gradable: GradingFilter) -> RejudgingClaim | None:
    """Lease the next answer of the rejudgings under way, problem by problem.

    An answer that has used up its attempts becomes `left_over` first.
    """
    spent = [_waiting(), RejudgedSample.attempts >= MAX_GRADING_ATTEMPTS, _is_unleased(now)]
    session.execute(
        update(RejudgedSample)
        .where(*spent)
        .values(state=RejudgedState.LEFT_OVER, lease_token=None, lease_until=None,
                error=func.coalesce(RejudgedSample.error, literal(ENDED_JUDGE, ReasonType)))
        .execution_options(synchronize_session=False)
    )  # fmt: skip
    picked = (
        select(RejudgedSample.rejudging_id, RejudgedSample.sample_id)
        .join(Rejudging, Rejudging.id == RejudgedSample.rejudging_id)
        .join(Sample, Sample.id == RejudgedSample.sample_id)
        .join(Run, Run.id == Sample.run_id)
        .join(ProtocolRow, ProtocolRow.id == Run.protocol_id)
        .where(
            Rejudging.state == RejudgingState.JUDGING,
            gradable.has_grader(),
            _waiting(),
            _is_unleased(now),
        )
        .order_by(RejudgedSample.rejudging_id, RejudgedSample.test_set_id, RejudgedSample.sample_id)
        .limit(1)
        .with_for_update(of=RejudgedSample, skip_locked=True)
        .cte("picked")
    )
    row = session.execute(
        update(RejudgedSample)
        .where(
            RejudgedSample.rejudging_id == picked.c.rejudging_id, RejudgedSample.sample_id == picked.c.sample_id
        )
        .values(lease_token=lease.token, lease_until=lease.until, attempts=RejudgedSample.attempts + 1)
        .returning(
            RejudgedSample.rejudging_id, RejudgedSample.sample_id, RejudgedSample.test_set_id, RejudgedSample.attempts
        )
        .execution_options(synchronize_session=False)
    ).first()  # fmt: skip
    return None if row is None else RejudgingClaim(*row)


def record(
    session: Session, rejudging_id: int, sample_id: int, token: str, state: RejudgedState, values: dict[str, Any]
) -> bool:
    """Change the state of a leased answer, if the lease still holds and its rejudging is still under way.

    A `lease_until` in `values` delays the next attempt until then.
    """
    under_way = select(Rejudging.id).where(Rejudging.id == rejudging_id, Rejudging.state == RejudgingState.JUDGING)
    moved = session.execute(
        update(RejudgedSample)
        .where(
            RejudgedSample.rejudging_id == rejudging_id, RejudgedSample.sample_id == sample_id,
            RejudgedSample.lease_token == token, _waiting(), under_way.exists(),
        )
        .values(**{"lease_until": None, **values}, state=state, lease_token=None)
        .returning(RejudgedSample.sample_id)
        .execution_options(synchronize_session=False)
    ).first()  # fmt: skip
    return moved is not None


def set_new_verdict(session: Session, rejudging_id: int, sample_id: int, verdict_id: int) -> None:
    """Record the new verdict of an answer."""
    session.execute(
        update(RejudgedSample)
        .where(RejudgedSample.rejudging_id == rejudging_id, RejudgedSample.sample_id == sample_id)
        .values(new_verdict_id=verdict_id)
        .execution_options(synchronize_session=False)
    )


def _has_waiting(rejudging_id: Any) -> ColumnElement[bool]:
    return exists().where(RejudgedSample.rejudging_id == rejudging_id, _waiting())


def count_due(session: Session, now: datetime) -> int:
    """Return the number of rejudgings under way with an unclaimed answer, or with none left to judge."""
    return session.scalar(_due_query(), {NOW.key: now}) or 0


@cache
def _due_query() -> Select[int]:
    free = exists().where(RejudgedSample.rejudging_id == Rejudging.id, _waiting(), _is_unleased(NOW))
    under_way = Rejudging.state == RejudgingState.JUDGING
    return select(func.count(Rejudging.id)).where(under_way, or_(free, ~_has_waiting(Rejudging.id)))


def count_waiting(session: Session) -> int:
    """Return how many answers of all rejudgings under way wait to be judged again."""
    under_way = select(Rejudging.id).where(Rejudging.state == RejudgingState.JUDGING)
    rows = select(func.count()).where(RejudgedSample.rejudging_id.in_(under_way), _waiting())
    return session.scalar(rows) or 0


def lock_next_judged(session: Session) -> Rejudging | None:
    """Return the next fully judged rejudging that is not predicted yet, locked."""
    return session.scalar(
        select(Rejudging)
        .where(Rejudging.state == RejudgingState.JUDGING, ~_has_waiting(Rejudging.id))
        .order_by(Rejudging.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )


def progress(session: Session, rejudging_id: int) -> dict[RejudgedState, int]:
    """Return the number of a rejudging's answers in each state."""
    rows = session.execute(
        select(RejudgedSample.state, func.count())
        .where(RejudgedSample.rejudging_id == rejudging_id)
        .group_by(RejudgedSample.state)
    )
    counts = {row[0]: row[1] for row in rows}
    return {state: counts.get(state, 0) for state in RejudgedState}


class LeftOverAnswer(NamedTuple):
    """An answer on which our judge failed, with the judge's error."""

    sample_id: int
    error: str | None


def left_over(session: Session, rejudging_id: int, limit: int) -> list[LeftOverAnswer]:
    """Return the first answers on which our judge failed."""
    rows = session.execute(
        select(RejudgedSample.sample_id, RejudgedSample.error)
        .where(RejudgedSample.rejudging_id == rejudging_id, RejudgedSample.state == RejudgedState.LEFT_OVER)
        .order_by(RejudgedSample.sample_id)
        .limit(limit)
    )
    return [LeftOverAnswer(*row) for row in rows]


def record_grader_revision(session: Session, revision: str, now: datetime) -> bool:
    """Record a grader revision, and return True if it is new and its lineage has others."""
    if session.get(GraderRevision, revision) is not None:
        return False
    row = session.execute(
        insert(GraderRevision)
        .values(revision=revision, lineage=lineage(revision), first_at=now)
        .on_conflict_do_nothing()
        .returning(GraderRevision.revision)
    ).first()
    others = exists().where(GraderRevision.lineage == lineage(revision), GraderRevision.revision != revision)
    return row is not None and bool(session.scalar(select(others)))
