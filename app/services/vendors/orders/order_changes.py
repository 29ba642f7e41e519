"""Changes of orders by their vendor: pausing, resuming, and asking failed samples again."""

from datetime import datetime, timedelta
from typing import Final

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import control, sample_failures
from app.db.runs import runs as run_store
from app.db.tables import Endpoint, Run
from app.db.tables import Submission as SubmissionRow
from app.db.vendors import submissions as store
from app.domain.errors import Conflict
from app.domain.reasons import Reason
from app.domain.states import SUBMISSION_MOVES, RunState, SubmissionState
from app.services.vendors import preflights, submissions
from app.services.vendors.orders.order_views import SubmissionAnswer, view_order

# A vendor that could hold a row back for ever could look at its results first.
MAX_PAUSE: Final = timedelta(days=7)
_PAUSED: Final = Reason("paused_by_vendor")
_ASKED_STATES = (SubmissionState.QUEUED, SubmissionState.PREFLIGHT, SubmissionState.GENERATING)
_RETRIED_STATES = (*_ASKED_STATES, SubmissionState.JUDGING, SubmissionState.STALLED)


def pause(session: Session, organisation_id: int, public_id: str, now: datetime) -> SubmissionAnswer:
    """Pause an order that is asked. Raises NotFound, and Conflict in another state or if its days of pause are over."""
    row = submissions.find_own(session, organisation_id, public_id, lock=True)
    if row.state not in _ASKED_STATES:
        raise Conflict(f"the submission is {row.state}: only one that is asked can be paused")
    if row.pause_until is not None and row.pause_until <= now:
        raise Conflict(f"the submission could be paused until {row.pause_until:%Y-%m-%d %H:%M} UTC, which is over")
    until = row.pause_until or now + MAX_PAUSE
    store.move(
        session, row, SubmissionState.PAUSED, now,
        owner="vendor", state_reason=_PAUSED, state_deadline=until, pause_until=until,
    )  # fmt: skip
    if row.run_id is not None:
        run_store.pause(session, row.run_id, _PAUSED)
    _audit(session, organisation_id, "submission.paused", row, now)
    return view_order(session, row)


def has_pause_of_vendor(row: SubmissionRow) -> bool:
    """Return True if an order is paused because its vendor paused it, for as long as it may be or longer."""
    reason = row.state_reason
    return row.state == SubmissionState.PAUSED and isinstance(reason, Reason) and reason.code == _PAUSED.code


def is_paused_by_vendor(row: SubmissionRow, now: datetime) -> bool:
    """Return True if an order stays paused because its vendor paused it; not after its days of pause."""
    return has_pause_of_vendor(row) and (row.pause_until is None or now < row.pause_until)


def resume(session: Session, organisation_id: int, public_id: str, now: datetime) -> SubmissionAnswer:
    """Queue an order that its vendor paused again. Raises NotFound, and Conflict if it was not paused by its vendor."""
    row = submissions.find_own(session, organisation_id, public_id, lock=True)
    if not is_paused_by_vendor(row, now):
        cause = f": {row.state_reason}" if row.state_reason else ""
        raise Conflict(f"the submission is {row.state}{cause}; only one that you paused can be resumed")
    _queue(session, row, now)
    _audit(session, organisation_id, "submission.resumed", row, now)
    return view_order(session, row)


def retry_failed(session: Session, organisation_id: int, public_id: str, now: datetime) -> SubmissionAnswer:
    """Ask failed samples without a verdict again at once, and end the stop of the endpoint that an order stalled on.

    An order that waits for its first prompt has its endpoint probed at once.
    Raises NotFound, and Conflict if it has ended, is paused, or nothing failed.
    """
    row = submissions.find_own(session, organisation_id, public_id, lock=True)
    if row.state not in _RETRIED_STATES:
        raise Conflict(f"the submission is {row.state}: nothing of it is asked again")
    if row.state == SubmissionState.PREFLIGHT:
        preflights.retry_preflight(session, row, now)
        _audit(session, organisation_id, "submission.retried", row, now)
        return view_order(session, row)
    endpoint = session.get_one(Endpoint, row.endpoint_id)
    stopped = endpoint.stopped_at is not None
    hurried = 0 if row.run_id is None else sample_failures.retry_now(session, row.run_id)
    if not stopped and not hurried and row.state != SubmissionState.STALLED:
        raise Conflict("no sample of the submission has failed and waits for another try")
    if stopped:
        control.clear_stop(session, endpoint.id)
        run_store.revive(session, endpoint.id)
    run = None if row.run_id is None else session.get_one(Run, row.run_id)
    if run is not None and run.state == RunState.FAILED:
        run_store.resume(session, run.id)
    if SubmissionState.QUEUED in SUBMISSION_MOVES[SubmissionState(row.state)]:
        _queue(session, row, now)
    _audit(session, organisation_id, "submission.retried", row, now)
    return view_order(session, row)


def _queue(session: Session, row: SubmissionRow, now: datetime) -> None:
    deadline = now + submissions.DEADLINES[SubmissionState.QUEUED]
    store.move(
        session, row, SubmissionState.QUEUED, now, owner="us", state_reason=None, state_deadline=deadline
    )  # fmt: skip


def _audit(session: Session, organisation_id: int, action: str, row: SubmissionRow, now: datetime) -> None:
    logs.write_audit(session, now, f"org:{organisation_id}", action, row.public_id, Reason("vendor_api"))
