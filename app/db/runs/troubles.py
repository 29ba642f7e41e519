"""Why answers are missing: what unanswered samples met, how long we are patient with them, and what becomes of them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from sqlalchemy import ColumnElement, ScalarSelect, Select, and_, func, or_, select, text, update

from app.db.kernel.aliases import alias
from app.db.kernel.instant import NOW
from app.db.kernel.session import Session
from app.db.runs.samples import move
from app.db.runs.wanted import of_text_in_use
from app.db.tables import Endpoint, Model, Problem, Run, Sample, Submission
from app.db.tables.runs import FAILING
from app.domain.asking.completions import FailureOwner, Noted, public_words
from app.domain.asking.patience import PATIENCE
from app.domain.states import RunState, SampleState

_MISSING = (SampleState.PENDING, SampleState.INFERRING, SampleState.GAVE_UP, SampleState.STUCK)


def is_missing() -> ColumnElement[bool]:
    """Whether a sample has no answer: not yet, or for good."""
    return or_(Sample.state.in_(_MISSING), Sample.unanswered)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A failure in the words of whoever failed, whose it is, and how many samples it met last."""

    reason: str
    owner: str
    samples: int


def commonest(session: Session, run_ids: Collection[int], *, public: bool = False) -> dict[int, Trouble]:
    """By run, if `public` in words that anybody may read; one whose unanswered samples met no failure has none."""
    number = func.count()
    rows = session.execute(
        select(Sample.run_id, Sample.error, Sample.error_owner, number)
        .where(Sample.run_id.in_(run_ids), is_missing(), Sample.error.is_not(None), of_text_in_use())
        .group_by(Sample.run_id, Sample.error, Sample.error_owner)
        .order_by(number, Sample.error)
    )
    return {
        run: Trouble(public_words(str(words), owner) if public else str(words), owner or "us", met)
        for run, words, owner, met in rows
    }


def failing_runs(session: Session) -> frozenset[int]:
    """Return the runs of which an answer was given up, or failed by its endpoint and is to be tried again."""
    return frozenset(session.scalars(select(Sample.run_id).where(text(FAILING), of_text_in_use())))


def note(session: Session, token: str, notes: Iterable[Noted]) -> None:
    """Keep with samples that are still being asked what they met last."""
    for each in notes:
        session.execute(
            update(Sample)
            .where(Sample.id == each.sample_id, Sample.lease_token == token, Sample.state == SampleState.INFERRING)
            .values(error=each.reason.replace("\0", "")[:2000], error_owner=each.owner)
            .execution_options(synchronize_session=False)
        )


def count(session: Session, own: Collection[int], ours: Collection[int]) -> None:
    """Add a failure that was shown to be the endpoint's own; after one of ours patience begins anew."""
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
    """Runs of vendors' own orders that are being asked: not paused or cancelled, nor stopped but as is said."""
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
    """Whether an endpoint was stopped so long ago by words of its own: a reply to a sample that still waits."""
    refused, of = alias(Sample, "refused"), alias(Run, "refused_run")
    told = (
        select(refused.id)
        .join(of, of.id == refused.run_id)
        .where(
            of.endpoint_id == Endpoint.id, refused.state == SampleState.PENDING, refused.own_failures > 0,
            func.left(refused.error, func.length(Endpoint.stopped_reason)) == Endpoint.stopped_reason,
        )
    )  # fmt: skip
    return and_(Endpoint.stopped_at <= now - span, told.exists())


def _refused_by_choice(now: datetime) -> list[ColumnElement[bool]]:
    """What waits at endpoints that refuse everybody for as long as patience lasts, of runs that they answered before,
    on problems that were here meanwhile. Where nothing was answered there is no score that could gain."""
    answered = alias(Sample, "answered_before")
    has_answers = select(answered.id).where(answered.run_id == Sample.run_id, answered.answered_at.is_not(None))
    there = select(Problem.id).where(Problem.found_at <= now - PATIENCE.span)
    return [
        Sample.state == SampleState.PENDING, Sample.run_id.in_(_own_runs(_refused_for(PATIENCE.span, now))),
        Sample.problem_id.in_(there), of_text_in_use(), has_answers.exists(),
    ]  # fmt: skip


_NO_ANSWER = {"state": SampleState.ANSWERED, "unanswered": True, "not_before": None}


def _give_to_judge(session: Session, where: Sequence[ColumnElement[bool]]) -> int:
    """A missing answer that is the model's own failure goes to the judge as it is: the verdict is no_answer."""
    return move(session, [*where, Sample.run_id.in_(_own_runs())], _NO_ANSWER)


def _was_own(now: datetime) -> ColumnElement[bool]:
    all_time = and_(Sample.own_failures >= PATIENCE.least, Sample.first_tried_at <= now - PATIENCE.span)
    return or_(Sample.own_failures >= PATIENCE.attempts, all_time)


def settle(session: Session, given_up: Collection[int], refused: Collection[int], now: datetime) -> int:
    """What was given up or `refused` is no_answer in a vendor's own order, if it was its failure; returns how many."""
    if not given_up and not refused:
        return 0
    over = or_(and_(Sample.id.in_(given_up), _was_own(now)), Sample.id.in_(refused))
    return _give_to_judge(session, [Sample.state == SampleState.GAVE_UP, over])


def give_up_on(session: Session, now: datetime) -> int:
    """Give up samples with which patience has ended; those that are their model's own failure go to the judge.

    Time in which nobody asked is not counted: a paused run or a stopped endpoint waits for a person, and weights of our
    own for a free device. But an endpoint that answered what it liked, and then refuses everybody, fails the rest.
    """
    if not session.scalar(_waited_long(), {NOW.key: now}):
        return 0
    runs = (
        select(Run.id)
        .join(Endpoint, Endpoint.id == Run.endpoint_id)
        .where(Run.state == RunState.ACTIVE, Endpoint.stopped_at.is_(None), Endpoint.weights.is_(None))
    )
    ended = Sample.first_tried_at < now - PATIENCE.span
    waited = [Sample.state == SampleState.PENDING, ended, Sample.run_id.in_(runs)]
    refused = _refused_by_choice(now)
    rest = {"error": _stopped_reason(), "error_owner": FailureOwner.VENDOR}
    return (
        move(session, refused, _NO_ANSWER | rest)
        + _give_to_judge(session, [*waited, _was_own(now)])
        + move(session, waited, {"state": SampleState.GAVE_UP})
    )


@cache
def _waited_long() -> Select[bool]:
    """Whether patience could have ended with any sample or endpoint: most often it has not."""
    tried = select(Sample.id).where(Sample.state == SampleState.PENDING, Sample.first_tried_at < NOW - PATIENCE.span)
    stopped = select(Endpoint.id).where(Endpoint.stopped_at <= NOW - PATIENCE.span)
    return select(or_(tried.exists(), stopped.exists()))


def _stopped_reason() -> ScalarSelect[str | None]:
    """What the endpoint of a sample said when it was stopped."""
    return (
        select(Endpoint.stopped_reason)
        .join(Run, Run.endpoint_id == Endpoint.id)
        .where(Run.id == Sample.run_id)
        .scalar_subquery()
    )


def be_patient(session: Session, endpoint_ids: Collection[int]) -> None:
    """Let the patience with unanswered samples of these endpoints begin anew: nobody may ask there now."""
    if endpoint_ids:
        runs = select(Run.id).where(Run.endpoint_id.in_(endpoint_ids))
        waiting = (Sample.state == SampleState.PENDING, Sample.first_tried_at.is_not(None), Sample.run_id.in_(runs))
        session.execute(
            update(Sample)
            .where(*waiting)
            .values(first_tried_at=None, own_failures=0)
            .execution_options(synchronize_session=False)
        )


def begin_anew(session: Session, before: datetime) -> None:
    """Let the patience with all that was tried before a moment begin anew: until then nobody was there to ask."""
    session.execute(
        update(Sample)
        .where(Sample.state == SampleState.PENDING, Sample.first_tried_at < before)
        .values(first_tried_at=None, own_failures=0)
        .execution_options(synchronize_session=False)
    )


def ask_again(session: Session, run_id: int) -> int:
    """Put the samples that a run gave up back in their queue, with all their attempts; returns how many."""
    afresh = {
        "state": SampleState.PENDING, "inference_attempts": 0, "first_tried_at": None, "own_failures": 0,
        "not_before": None,
    }  # fmt: skip
    return move(session, [Sample.run_id == run_id, Sample.state == SampleState.GAVE_UP, of_text_in_use()], afresh)


def start_afresh(session: Session, run_id: int) -> None:
    """Give the unanswered samples of a run their patience back, after a time in which nobody asked."""
    session.execute(
        update(Sample)
        .where(Sample.run_id == run_id, Sample.state == SampleState.PENDING)
        .values(first_tried_at=None, own_failures=0, not_before=None)
        .execution_options(synchronize_session=False)
    )
