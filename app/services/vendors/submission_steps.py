"""Steps of submissions to published runs: each has an owner of the next step and a deadline.

The sweep calls `advance`, which moves every submission on as far as the facts allow.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from structlog import get_logger

from app.db.kernel import revision
from app.db.kernel.session import Session
from app.db.runs import budgets, planning, sample_failures
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, ProtocolRow, Run, Submission
from app.db.vendors import submissions as store
from app.domain.asking.retry_policy import MAX_SUBMISSION_WAIT
from app.domain.reasons import Reason
from app.domain.states import RunState, SubmissionState
from app.services.runs import announcements, plan
from app.services.vendors import preflights, submission_waits
from app.services.vendors.orders import order_changes, order_promises
from app.services.vendors.submissions import DEADLINES

log = get_logger(__name__)


def advance_submissions(session: Session, now: datetime) -> int:
    """Move every active submission as far as the facts allow; return how many moved.

    Each is moved on its own: one that we fail at stays where it is, with the reason, and is tried again next time.
    """
    unfinished = store.lock_unfinished(session)
    moved = sum(_advance_alone(session, submission, now) for submission in unfinished)
    order_promises.renew_promises(session, unfinished, now)
    for submission in store.lock_unpublished(session, now):  # it keeps its place on the board, with its answers
        _show_run(session, submission, now)
    for submission in store.lock_past_windows(session, now):
        _end_window(session, submission, now)
    return moved


def _advance_alone(session: Session, submission: Submission, now: datetime) -> bool:
    try:
        with session.begin_nested():
            moved = _advance_unless_paused(session, submission, now)
            if not moved and submission.state not in _EXPLAINED_STATES:  # an earlier fault, or wait, may be over
                wait = submission_waits.find_wait(session, submission.state, submission.run_id, now)
                submission.owner, submission.state_reason = wait
            return moved
    except Exception as fault:  # any fault: the other submissions go on
        log.exception("submission.failed", submission=submission.public_id)
        if submission.state not in _WAITING_STATES:  # these keep their own reason and owner
            submission.owner, submission.state_reason = "us", Reason("logged_fault", {"what": type(fault).__name__})
            session.flush()
        return False


def _advance_unless_paused(session: Session, submission: Submission, now: datetime) -> bool:
    if not order_changes.has_pause_of_vendor(submission):
        return _give_up(session, submission, now) or _advance(session, submission, now)
    if order_changes.is_paused_by_vendor(submission, now):
        return False
    _move_to(session, submission, SubmissionState.QUEUED, now)
    return True


def _advance(session: Session, submission: Submission, now: datetime) -> bool:
    endpoint = session.get_one(Endpoint, submission.endpoint_id)
    state = SubmissionState(submission.state)
    run = None if submission.run_id is None else session.get_one(Run, submission.run_id)
    if run is not None and run.state == RunState.RETIRED:
        why = Reason("run_was_cancelled", cause=run.state_reason)
        store.move(session, submission, SubmissionState.CANCELLED, now, state_reason=why, state_deadline=None)
        return True
    if run is not None and _stays_empty(session, submission, run, now):
        _fail(session, submission, "vendor", Reason("window_empty"), now)
        return True
    stopped = endpoint.stopped_at is not None and not _is_done(session, submission)
    if state is SubmissionState.STALLED:
        return _leave_stall(session, submission, now, stopped=stopped)
    if stopped and state is not SubmissionState.EMBARGOED:
        _stall(session, submission, "vendor", endpoint.stopped_reason or Reason("endpoint_stopped"), now)
        return True
    if run is not None and state in (*_ASKING_STATES, SubmissionState.PAUSED):
        if run.state == RunState.FAILED:  # once answered, a new order would be a later trial
            end = _stall if _has_answer(session, submission) else _fail
            end(session, submission, "vendor", run.state_reason or Reason("requests_refused"), now)
            return True
        if state is SubmissionState.PAUSED or run.needs_usd is not None:
            return _wait_for_money(session, submission, run, now)
    if submission.state_deadline is not None and submission.state_deadline <= now:
        wait = submission_waits.find_wait(session, state, submission.run_id, now)
        late = wait.reason if wait.owner == "vendor" else None
        _stall(session, submission, wait.owner, late or Reason("took_longer", {"what": state}), now)
        return True
    step = _STEPS.get(state)
    return step is not None and step(session, submission, now)


def _leave_stall(session: Session, submission: Submission, now: datetime, *, stopped: bool) -> bool:
    """Queue a stalled submission again if its endpoint is asked again, or what was late has come."""
    if stopped:
        preflights.request_recovery(session, submission, now)
        return False
    if _still_stalled(session, submission, now):
        return False
    _move_to(session, submission, SubmissionState.QUEUED, now)
    return True


def _still_stalled(session: Session, submission: Submission, now: datetime) -> bool:
    """Return True if what stalled a submission is not over: we are late, or its endpoint fails, and was not stopped."""
    if submission.owner == "us":
        return not (_is_done(session, submission) or preflights.is_over(session, submission))
    if submission.run_id is not None and session.get_one(Run, submission.run_id).state == RunState.FAILED:
        return True
    reason = submission.state_reason
    if not isinstance(reason, Reason) or reason.code != submission_waits.FAILING:
        return False
    return submission_waits.find_endpoint_trouble(session, submission.run_id, now) is not None


def _stall(session: Session, submission: Submission, owner: str, reason: str, now: datetime) -> None:
    deadline = _deadline(session, submission, owner, now)
    store.move(
        session, submission, SubmissionState.STALLED, now, owner=owner, state_reason=reason, state_deadline=deadline
    )


def _deadline(session: Session, submission: Submission, owner: str, now: datetime) -> datetime | None:
    """Return until when a submission without an answer may wait for its vendor."""
    return now + MAX_SUBMISSION_WAIT if owner == "vendor" and not _has_answer(session, submission) else None


def _has_answer(session: Session, submission: Submission) -> bool:
    return submission.run_id is not None and bool(run_store.answered_runs(session, [submission.run_id]))


def _give_up(session: Session, submission: Submission, now: datetime) -> bool:
    """Fail a submission that waited for its vendor in vain.

    A public one gets a ledger line, since it may hold a place on boards; its endpoint's message stays with the vendor.
    """
    waits = submission.state in _EXPLAINED_STATES and submission.owner == "vendor"
    if not waits or now < submission.state_since + MAX_SUBMISSION_WAIT or _has_answer(session, submission):
        return False
    _fail(session, submission, "vendor", Reason("in_vain_after", _WAITED, submission.state_reason), now)
    if submission.visibility == "public" and (submission.embargo_until is None or submission.embargo_until <= now):
        model = session.get_one(Endpoint, submission.endpoint_id).model_id
        announcements.announce_unanswered(session, model, submission.protocol_id, Reason("in_vain", _WAITED), now)
    return True


def _wait_for_money(session: Session, submission: Submission, run: Run, now: datetime) -> bool:
    """Pause a submission whose run a budget paused, or queue it again, with a new deadline, when the run goes on."""
    paused = submission.state == SubmissionState.PAUSED
    if paused and run.needs_usd is None:
        _move_to(session, submission, SubmissionState.QUEUED, now)
    elif not paused:
        owner = "us" if submission.budget_usd is None else "vendor"
        store.move(
            session, submission, SubmissionState.PAUSED, now,
            owner=owner, state_reason=run.state_reason, state_deadline=_deadline(session, submission, owner, now),
        )  # fmt: skip
    else:
        return False
    return True


def _fail(session: Session, submission: Submission, owner: str, reason: str, now: datetime) -> None:
    store.move(session, submission, SubmissionState.FAILED, now, owner=owner, state_reason=reason, state_deadline=None)
    if submission.run_id is not None:
        run_store.pause(session, submission.run_id, Reason("submission_failed"))


def _is_done(session: Session, submission: Submission) -> bool:
    """Return True if everything that was late has come after all."""
    if submission.run_id is None:
        return False
    progress = store.progress(session, submission.run_id)
    return progress.total > 0 and not (progress.waiting or progress.judging)


def _stays_empty(session: Session, submission: Submission, run: Run, now: datetime) -> bool:
    """Return True if a submission waits for us in vain, because there will be nothing to ask."""
    waits = submission.owner == "us" and submission.state in (SubmissionState.GENERATING, SubmissionState.STALLED)
    return waits and store.progress(session, run.id).total == 0 and plan.stays_empty(session, run, now)


def _move_to(session: Session, submission: Submission, new: SubmissionState, now: datetime) -> None:
    limit, begins = DEADLINES.get(new), now
    if new is SubmissionState.GENERATING and submission.window_end is not None:
        begins = max(now, submission.window_end)  # its first problem may come until the window closes
    store.move(
        session, submission, new, now, owner="us", state_reason=None, state_deadline=begins + limit if limit else None
    )


def _start(session: Session, submission: Submission, now: datetime) -> bool:
    """Create the run of a queued submission, hidden until that is published."""
    _move_to(session, submission, SubmissionState.PREFLIGHT, now)
    if submission.run_id is None:
        endpoint = session.get_one(Endpoint, submission.endpoint_id)
        # A run of its own: a submission neither hides nor repeats the results of an earlier one.
        run = run_store.add_trial(
            session, endpoint.model_id, endpoint.id, submission.protocol_id, submission.configuration
        )
        run.window_start, run.window_end = submission.window_start, submission.window_end
        submission.run_id = run.id
        run_store.pause(session, run.id, Reason("preflight_waits"))
        if submission.budget_usd is not None:
            budgets.set_budget(session, run.id, None, submission.budget_usd, daily=False)
    _finish_preflight(session, submission, now)
    return True


def _finish_preflight(session: Session, submission: Submission, now: datetime) -> bool:
    """Let the run of a submission be asked once its endpoint has passed a probe."""
    assert submission.run_id is not None  # made when it was queued
    wait = preflights.check_preflight(session, submission, now)
    if wait is None:
        run_store.resume(session, submission.run_id)
        _move_to(session, submission, SubmissionState.GENERATING, now)
        return True
    if wait.owner != submission.owner:
        limit = MAX_SUBMISSION_WAIT if wait.owner == "vendor" else DEADLINES[SubmissionState.PREFLIGHT]
        submission.state_deadline = now + limit
    submission.owner, submission.state_reason = wait.owner, wait.reason
    return False


def _finish_generating(session: Session, submission: Submission, now: datetime) -> bool:
    run_id, run = _run_of(session, submission)
    progress = store.progress(session, run_id)
    if progress.total == 0 or progress.waiting or not _lock_plan(session):
        return False
    progress = store.progress(session, run_id)  # no plan commits from here on
    if progress.waiting or plan.has_missing_samples(session, run, now):
        return False
    if progress.total <= progress.unanswered and not submission.continuous and _goes_on(submission, now):
        return False  # nothing of it was answered, and problems of its window may still be
    _move_to(session, submission, SubmissionState.JUDGING, now)
    return True


def _finish_judging(session: Session, submission: Submission, now: datetime) -> bool:
    run_id, _ = _run_of(session, submission)
    progress = store.progress(session, run_id)
    nothing_answered = progress.judging + progress.graded <= progress.unanswered
    if progress.waiting or (progress.judging and not nothing_answered) or not _lock_plan(session):
        return False
    progress = store.progress(session, run_id)  # no plan commits from here on: what is published is all that is asked
    if progress.waiting:  # a replaced text, or a new problem, is asked
        return False
    if nothing_answered:
        met = sample_failures.commonest_failures(session, [run_id]).get(run_id)
        _fail(session, submission, met.owner if met else "us", met.reason if met else Reason("unjudged"), now)
    elif submission.embargo_until is not None and submission.embargo_until > now:
        _move_to(session, submission, SubmissionState.EMBARGOED, now)
    else:
        _publish(session, submission, now)
    return True


def _run_of(session: Session, submission: Submission) -> tuple[int, Run]:
    assert submission.run_id is not None  # made when it was queued
    return submission.run_id, session.get_one(Run, submission.run_id)


def _lock_plan(session: Session) -> bool:
    """Keep plans from committing until this transaction ends; while one is under way, the order waits a minute."""
    return planning.try_lock_planning(session)


def _goes_on(submission: Submission, now: datetime) -> bool:
    """Return True if problems may still come for it: it is continuous, or its window ends later."""
    return submission.continuous or (submission.window_end is not None and submission.window_end > now)


def _end_window(session: Session, submission: Submission, now: datetime) -> None:
    """Pause the run of a published submission once its window is past and all of it is judged."""
    run_id, run = _run_of(session, submission)
    progress = store.progress(session, run_id)
    if progress.waiting or progress.judging or plan.may_grow(session, run, now):
        return
    if _lock_plan(session) and not store.progress(session, run_id).waiting:
        run_store.pause(session, run_id, Reason("run_done"))


def _end_embargo(session: Session, submission: Submission, now: datetime) -> bool:
    if submission.embargo_until is not None and submission.embargo_until > now:
        return False
    _publish(session, submission, now)
    return True


def _publish(session: Session, submission: Submission, now: datetime) -> None:
    _move_to(session, submission, SubmissionState.PUBLISHED, now)
    if submission.run_id is not None and not _goes_on(submission, now):
        run_store.pause(session, submission.run_id, Reason("run_done"))
    _show_run(session, submission, now)


def _show_run(session: Session, submission: Submission, now: datetime) -> None:
    run = session.get_one(Run, submission.run_id)
    is_practice = run_store.read_protocol(session.get_one(ProtocolRow, run.protocol_id).body).practice
    run.public = submission.visibility == "public" and not is_practice
    if run.public:
        announcements.announce_runs(session, [run.id], Reason("submission", {"what": submission.public_id}), now)
    revision.mark_axes_changed(session)


_WAITED = {"n": MAX_SUBMISSION_WAIT.days}
_WAITING_STATES = (SubmissionState.STALLED, SubmissionState.PAUSED)
_EXPLAINED_STATES = (*_WAITING_STATES, SubmissionState.PREFLIGHT)
_ASKING_STATES = (SubmissionState.GENERATING, SubmissionState.JUDGING)

_STEPS: Mapping[SubmissionState, Callable[[Session, Submission, datetime], bool]] = {
    SubmissionState.QUEUED: _start,
    SubmissionState.PREFLIGHT: _finish_preflight,
    SubmissionState.GENERATING: _finish_generating,
    SubmissionState.JUDGING: _finish_judging,
    SubmissionState.EMBARGOED: _end_embargo,
}
