"""Vendors' submissions: registered before anything is asked, read, and cancelled."""

import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import runs as run_store
from app.db.tables import Submission as SubmissionRow
from app.db.vendors import submissions as store
from app.domain.asking.completions import RunCheck
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.reasons import Reason
from app.domain.states import ENDED_SUBMISSIONS, SUBMISSION_MOVES, SubmissionState
from app.services.runs import announcements, budgets
from app.services.vendors import practice
from app.services.vendors.orders import order_checks
from app.services.vendors.orders.order_checks import CheckedOrder
from app.services.vendors.orders.order_checks import NewSubmission as NewSubmission
from app.services.vendors.orders.order_views import SubmissionAnswer, SubmissionGroup, view_group, view_order

# Longest time in a state before a submission is stalled.
DEADLINES = {
    SubmissionState.QUEUED: timedelta(hours=24),
    SubmissionState.PREFLIGHT: timedelta(hours=1),
    SubmissionState.GENERATING: timedelta(days=7),
    SubmissionState.JUDGING: timedelta(days=2),
}

# Submissions of one organisation under way at once. Each is checked every minute, for some 15 ms, and has a run to be
# planned: thousands would delay those of all others.
MAX_OPEN_SUBMISSIONS = 200


def submit(
    session: Session, organisation_id: int, new: NewSubmission, now: datetime, check: RunCheck
) -> SubmissionAnswer:
    """Pre-register a submission and queue it. Raises as `check_order`, and Conflict if too many are open."""
    order = order_checks.check_order(session, organisation_id, new, now, check)
    _check_room(session, organisation_id, 1)
    row = _place(session, organisation_id, order, now, None)
    return view_order(session, row, order_checks.find_warnings(session, order, now))


def submit_group(
    session: Session,
    organisation_id: int,
    new: NewSubmission,
    endpoints: Sequence[int | str],
    now: datetime,
    check: RunCheck,
) -> SubmissionGroup:
    """Pre-register a submission for each of these endpoints, all or none. Raises as `submit`."""
    orders = [_check_member(session, organisation_id, replace(new, endpoint_id=endpoint), place, now, check)
              for place, endpoint in enumerate(endpoints)]  # fmt: skip
    if len({order.endpoint.id for order in orders}) < len(orders):
        raise InvalidInput("an endpoint is named twice: name each once", pointer="/endpoints")
    _check_room(session, organisation_id, len(orders))
    group = f"grp_{secrets.token_hex(12)}"
    rows = [_place(session, organisation_id, order, now, group) for order in orders]
    return view_group(session, group, rows, order_checks.find_warnings(session, orders[0], now))


def _check_member(
    session: Session, organisation_id: int, new: NewSubmission, place: int, now: datetime, check: RunCheck
) -> CheckedOrder:
    try:
        return order_checks.check_order(session, organisation_id, new, now, check)
    except InvalidInput as fault:
        if fault.pointer != "/endpoint":
            raise
        raise InvalidInput(str(fault), pointer=f"/endpoints/{place}") from fault


def _check_room(session: Session, organisation_id: int, more: int) -> None:
    if store.count_open(session, organisation_id) + more > MAX_OPEN_SUBMISSIONS:
        raise Conflict(f"{MAX_OPEN_SUBMISSIONS} of your submissions are open: cancel one, or wait until one has ended")


def _place(
    session: Session, organisation_id: int, order: CheckedOrder, now: datetime, group: str | None
) -> SubmissionRow:  # fmt: skip
    new = order.new
    submission = SubmissionRow(
        public_id=f"sub_{secrets.token_hex(12)}",
        group_id=group,
        organisation_id=organisation_id,
        endpoint_id=order.endpoint.id,
        protocol_id=order.protocol_id,
        configuration=order.configuration,
        window_start=order.window.start,
        window_end=order.window.end,
        continuous=new.continuous,
        visibility="public" if new.public else "private",
        embargo_until=new.embargo_until,
        budget_usd=new.budget_usd,
        state=SubmissionState.VALIDATING,
        state_since=now,
        state_deadline=now + DEADLINES[SubmissionState.QUEUED],
        owner="us",
        created_at=now,
    )
    session.add(submission)
    session.flush()
    store.move(session, submission, SubmissionState.QUEUED, now)
    if not practice.is_practice_protocol(new.protocol):
        announcements.announce_registration(session, submission, now)
    logs.write_audit(
        session, now, f"org:{organisation_id}", "submission.created", submission.public_id, Reason("vendor_api")
    )
    return submission


def cancel(session: Session, organisation_id: int, public_id: str, now: datetime) -> SubmissionAnswer:
    """Cancel a submission; its run stops. Raises NotFound, and Conflict when it has ended."""
    submission = find_own(session, organisation_id, public_id, lock=True)
    if SubmissionState.CANCELLED not in SUBMISSION_MOVES[SubmissionState(submission.state)]:
        raise Conflict(f"the submission is {submission.state} and cannot be cancelled")
    store.move(
        session, submission, SubmissionState.CANCELLED, now, state_deadline=None, state_reason=Reason("by_vendor")
    )
    if submission.run_id is not None:
        run_store.pause(session, submission.run_id, Reason("run_cancelled"))
    logs.write_audit(session, now, f"org:{organisation_id}", "submission.cancelled", public_id, Reason("vendor_api"))
    return view_order(session, submission)


def set_budget(
    session: Session, organisation_id: int, public_id: str, usd: Decimal | None, now: datetime
) -> SubmissionAnswer:  # fmt: skip
    """Change a submission's budget, or with None remove it; the run goes on, or is paused, within a minute.

    Raises NotFound, and Conflict when it has ended.
    """
    submission = find_own(session, organisation_id, public_id, lock=True)
    if submission.state in ENDED_SUBMISSIONS and not (
        submission.state == SubmissionState.PUBLISHED
        and (submission.continuous or (submission.window_end is not None and submission.window_end > now))
    ):
        raise Conflict(f"the submission is {submission.state}: it asks nothing more")
    submission.budget_usd = usd
    actor = f"org:{organisation_id}"
    if submission.run_id is None:
        logs.write_audit(
            session, now, actor, "budget.changed", public_id, Reason("vendor_api"), after={"usd": str(usd)}
        )
    elif usd is not None or budgets.budgets_of_run(session, submission.run_id, now):
        budgets.change_budget(session, budgets.BudgetOwner(submission.run_id), usd, Reason("vendor_api"), now, actor)
    return view_order(session, submission)


def get(session: Session, organisation_id: int, public_id: str) -> SubmissionAnswer:
    """Return a submission of this organisation. Raises NotFound."""
    return view_order(session, find_own(session, organisation_id, public_id))


def find_own(session: Session, organisation_id: int, public_id: str, *, lock: bool = False) -> SubmissionRow:
    """Return a submission of this organisation, locked if it is to change. Raises NotFound."""
    find = store.lock_own_submission if lock else store.own_submission
    # Text that the database cannot hold names nothing.
    row = find(session, organisation_id, public_id) if public_id.isprintable() else None
    if row is None:
        raise NotFound("you have no such submission")
    return row
