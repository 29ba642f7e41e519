"""Failures of unanswered samples, our patience with them, and their end."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, func, or_, select, text, update

from app.db.kernel.instant import NOW
from app.db.kernel.session import Session
from app.db.kernel.table_aliases import alias
from app.db.runs.due_work import is_text_in_use
from app.db.runs.samples import move
from app.db.tables import Endpoint, Model, Problem, Run, Sample, Submission
from app.db.tables.runs import FAILING_SAMPLE
from app.domain.asking.completions import FailureOwner, RetryNotice, public_reason
from app.domain.asking.retry_policy import RETRY_POLICY
from app.domain.reasons import Reason, storable_reason
from app.domain.states import RunState, SampleState

_MISSING_STATES = (SampleState.PENDING, SampleState.INFERRING, SampleState.GAVE_UP, SampleState.STUCK)


def is_missing() -> ColumnElement[bool]:
    """Return the condition that a sample has no answer so far, or for good."""
    return or_(Sample.state.in_(_MISSING_STATES), Sample.unanswered)


@dataclass(frozen=True, slots=True)
class CommonFailure:
    """A failure in its owner's words, with its owner and the number of samples that met it last."""

    reason: str
    owner: str
    samples: int


def commonest_failures(session: Session, run_ids: Collection[int], *, public: bool = False) -> dict[int, CommonFailure]:
    """Return the most common failure by run, with `public` in public words; runs without one are left out."""
    number = func.count()
    rows = session.execute(
        select(Sample.run_id, Sample.error, Sample.error_owner, number)
        .where(Sample.run_id.in_(run_ids), is_missing(), Sample.error.is_not(None), is_text_in_use())
        .group_by(Sample.run_id, Sample.error, Sample.error_owner)
        .order_by(number, Sample.error)
    )
    return {
        run: CommonFailure(public_reason(reason or "", owner) if public else reason or "", owner or "us", samples)
        for run, reason, owner, samples in rows
    }


def failing_runs(session: Session) -> frozenset[int]:
    """Return the runs with a given-up sample, or with one that its endpoint failed and that is tried again."""
    return frozenset(session.scalars(select(Sample.run_id).where(text(FAILING_SAMPLE), is_text_in_use())))


def record_failures(session: Session, token: str, notes: Iterable[RetryNotice]) -> None:
    """Record the last failures of samples that are still being asked."""
    for entry in notes:
        session.execute(
            update(Sample)
            .where(Sample.id == entry.sample_id, Sample.lease_token == token, Sample.state == SampleState.INFERRING)
            .values(error=storable_reason(entry.reason, 2000), error_owner=entry.owner)
            .execution_options(synchronize_session=False)
        )


def count_failures(session: Session, own: Collection[int], ours: Collection[int]) -> None:
    """Count a failure of the endpoint's own (`own`); a failure of `ours` resets the patience."""
    for sample_ids, values in (
        (own, {"own_failures": Sample.own_failures + 1}),
        (ours, {"own_failures": 0, "first_tried_at": None}),
    ):
        if sample_ids:
            session.execute(
                update(Sample)
                .where(Sample.id.in_(sample_ids))
                .values(values)
                .execution_options(synchronize_session=False)
            )


def _own_runs(stopped: ColumnElement[bool] | None = None) -> Select[int]:
    """Select active runs of vendors' own submissions; the endpoint is not stopped, or meets `stopped` if given."""
    return (
        select(Run.id)
        .join(Submission, Submission.run_id == Run.id)
        .join(Model, Model.id == Run.model_id)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(
            Submission.organisation_id == Model.organisation_id, Run.state == RunState.ACTIVE,
            Endpoint.stopped_at.is_(None) if stopped is None else stopped, Endpoint.weights.is_(None),
        )
    )  # fmt: skip


def _refused_for(span: timedelta, now: datetime) -> ColumnElement[bool]:
    """Return the condition that an endpoint stopped at least `span` ago by its reply to a sample that still waits."""
    refused, of = alias(Sample, "refused"), alias(Run, "refused_run")
    own_refusal = (
        select(refused.id)
        .join(of, of.id == refused.run_id)
        .where(
            of.endpoint_id == Endpoint.id, refused.state == SampleState.PENDING, refused.own_failures > 0,
            refused.error == Endpoint.stopped_reason,
        )
    )  # fmt: skip
    return and_(Endpoint.stopped_at <= now - span, own_refusal.exists())


def _refused_by_choice(now: datetime) -> list[ColumnElement[bool]]:
    """Return the conditions on pending samples at endpoints that answered the run before, then refused all.

    The refusal has lasted as long as our patience, and the problem was here all that time. A run without answers has no
    score that could gain.
    """
    answered = alias(Sample, "answered_before")
    has_answers = select(answered.id).where(answered.run_id == Sample.run_id, answered.answered_at.is_not(None))
    problem_ids = select(Problem.id).where(Problem.found_at <= now - RETRY_POLICY.span)
    return [
        Sample.state == SampleState.PENDING, Sample.run_id.in_(_own_runs(_refused_for(RETRY_POLICY.span, now))),
        Sample.problem_id.in_(problem_ids), is_text_in_use(), has_answers.exists(),
    ]  # fmt: skip


_NO_ANSWER = {"state": SampleState.ANSWERED, "unanswered": True, "not_before": None}


def _give_to_judge(session: Session, where: Sequence[ColumnElement[bool]]) -> int:
    """Send missing answers that are the model's own failure to the judge, for the verdict no_answer."""
    return move(session, [*where, Sample.run_id.in_(_own_runs())], _NO_ANSWER)


def _is_own_failure(now: datetime) -> ColumnElement[bool]:
    all_time = and_(Sample.own_failures >= RETRY_POLICY.min_failures, Sample.first_tried_at <= now - RETRY_POLICY.span)
    return or_(Sample.own_failures >= RETRY_POLICY.attempts, all_time)


def judge_own_failures(session: Session, given_up: Collection[int], refused: Collection[int], now: datetime) -> int:
    """Send given-up or `refused` samples of a vendor's own submission to the judge as no_answer, and return how many.

    A given-up sample must be the endpoint's own failure.
    """
    if not given_up and not refused:
        return 0
    over = or_(and_(Sample.id.in_(given_up), _is_own_failure(now)), Sample.id.in_(refused))
    return _give_to_judge(session, [Sample.state == SampleState.GAVE_UP, over])


def give_up_overdue(session: Session, now: datetime) -> int:
    """Give up samples whose patience has ended; those that are their model's own failure go to the judge.

    Time without requests does not count: a paused run or a stopped endpoint waits for a person, and local weights for a
    free device. But if an endpoint answered some samples and then refuses all, the rest fail.
    """
    if not session.scalar(_any_overdue(), {NOW.key: now}):
        return 0
    runs = (
        select(Run.id)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(Run.state == RunState.ACTIVE, Endpoint.stopped_at.is_(None), Endpoint.weights.is_(None))
    )
    ended = Sample.first_tried_at < now - RETRY_POLICY.span
    waited = [Sample.state == SampleState.PENDING, ended, Sample.run_id.in_(runs)]
    refused = _refused_by_choice(now)
    rest = {"error": _stopped_reason(), "error_owner": FailureOwner.VENDOR}
    return (
        move(session, refused, _NO_ANSWER | rest)
        + _give_to_judge(session, [*waited, _is_own_failure(now)])
        + move(session, waited, {"state": SampleState.GAVE_UP})
    )


@cache
def _any_overdue() -> Select[bool]:
    """Select whether the patience with any sample or endpoint could have ended; usually none has."""
    tried = select(Sample.id).where(
        Sample.state == SampleState.PENDING, Sample.first_tried_at < NOW - RETRY_POLICY.span
    )
    stopped = select(Endpoint.id).where(Endpoint.stopped_at <= NOW - RETRY_POLICY.span)
    return select(or_(tried.exists(), stopped.exists()))


def _stopped_reason() -> ScalarSelect[Reason | None]:
    """Select the reply with which a sample's endpoint was stopped."""
    return (
        select(Endpoint.stopped_reason)
        .join(Run, Run.endpoint_id == Endpoint.id)
        .where(Run.id == Sample.run_id)
        .scalar_subquery()
    )


def reset_patience_at(session: Session, endpoint_ids: Collection[int]) -> None:
    """Reset the patience with unanswered samples of these endpoints, because they may not be asked now."""
    if endpoint_ids:
        runs = select(Run.id).where(Run.endpoint_id.in_(endpoint_ids))
        waiting = (Sample.state == SampleState.PENDING, Sample.first_tried_at.is_not(None), Sample.run_id.in_(runs))
        session.execute(
            update(Sample)
            .where(*waiting)
            .values(first_tried_at=None, own_failures=0)
            .execution_options(synchronize_session=False)
        )


def reset_patience_before(session: Session, before: datetime) -> None:
    """Reset the patience with samples first tried before `before`, because no worker asked until then."""
    session.execute(
        update(Sample)
        .where(Sample.state == SampleState.PENDING, Sample.first_tried_at < before)
        .values(first_tried_at=None, own_failures=0)
        .execution_options(synchronize_session=False)
    )


def retry_given_up(session: Session, run_id: int) -> int:
    """Requeue the samples that a run gave up, with all their attempts, and return how many."""
    afresh = {
        "state": SampleState.PENDING, "inference_attempts": 0, "first_tried_at": None, "own_failures": 0,
        "not_before": None,
    }  # fmt: skip
    return move(session, [Sample.run_id == run_id, Sample.state == SampleState.GAVE_UP, is_text_in_use()], afresh)


def retry_now(session: Session, run_id: int) -> int:
    """Let every failed sample of a run that has no verdict be asked again at once, and return how many.

    Waiting ones keep their attempts and the patience with them, or a vendor could ask for ever; those given up begin
    again. Their endpoint rests no longer.
    """
    rests = select(Run.endpoint_id).where(Run.id == run_id)
    session.execute(
        update(Endpoint)
        .where(Endpoint.id.in_(rests), Endpoint.lease_token.is_(None))
        .values(lease_until=None)
        .execution_options(synchronize_session=False)
    )
    waiting = (Sample.run_id == run_id, Sample.state == SampleState.PENDING, Sample.error.is_not(None))
    hurried = session.execute(
        update(Sample)
        .where(*waiting, is_text_in_use())
        .values(not_before=None)
        .execution_options(synchronize_session=False)
    )
    return retry_given_up(session, run_id) + int(getattr(hurried, "rowcount", 0))


def reset_patience_of_run(session: Session, run_id: int) -> None:
    """Reset the patience with the unanswered samples of a run, after a time without requests."""
    session.execute(
        update(Sample)
        .where(Sample.run_id == run_id, Sample.state == SampleState.PENDING)
        .values(first_tried_at=None, own_failures=0, not_before=None)
        .execution_options(synchronize_session=False)
    )
