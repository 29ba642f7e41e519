"""Vendors' submissions: registered before anything is asked, read, and cancelled."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import budgets as budget_store
from app.db.runs import runs as run_store
from app.db.runs import sample_failures
from app.db.runs.sample_failures import CommonFailure
from app.db.tables import Submission as SubmissionRow
from app.db.vendors import submissions as store
from app.db.vendors.submissions import SampleProgress
from app.domain.asking.completions import RunCheck
from app.domain.asking.configuration import convert_configuration
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, Protocol
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.reasons import Reason
from app.domain.states import ENDED_SUBMISSIONS, SUBMISSION_MOVES, SubmissionState
from app.domain.windows import midnight
from app.services.runs import budgets, inference

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


@dataclass(frozen=True, slots=True)
class NewSubmission:
    """A new submission: an endpoint's model in one configuration under a protocol, over a window or continuously."""

    endpoint_id: int
    protocol: str
    configuration: Mapping[str, Any]
    window_start: datetime | None = None
    window_end: datetime | None = None
    continuous: bool = False
    public: bool = True
    embargo_until: datetime | None = None
    budget_usd: Decimal | None = None


@dataclass(frozen=True, slots=True)
class SubmissionView:
    """A submission as it stands; without `progress` it has no run yet. `id` is its place among all submissions."""

    id: int
    public_id: str
    state: str
    state_reason: str | None
    state_since: datetime
    deadline: datetime | None
    owner: str
    endpoint_id: int
    protocol: str
    run_id: int | None
    configuration: Mapping[str, Any]
    window_start: datetime | None
    window_end: datetime | None
    continuous: bool
    visibility: str
    embargo_until: datetime | None
    created_at: datetime
    budget_usd: Decimal | None
    spent_usd: Decimal  # of answers whose cost is known
    progress: SampleProgress | None
    failure: CommonFailure | None  # the commonest one of its unanswered samples


def submit(
    session: Session, organisation_id: int, new: NewSubmission, now: datetime, check: RunCheck
) -> SubmissionView:
    """Pre-register a submission and queue it. Raises NotFound and InvalidInput, and Conflict if too many are open."""
    endpoint = store.own_endpoint(session, organisation_id, new.endpoint_id)
    if endpoint is None:
        raise NotFound(f"you have no endpoint {new.endpoint_id}")
    if new.continuous == (new.window_end is not None):
        raise InvalidInput("give the window's end, or set continuous", pointer="/window")
    if new.embargo_until is not None and new.embargo_until <= now:
        raise InvalidInput("the embargo is already over: give a time in the future, or none", pointer="/embargo_until")
    protocol_id, protocol = _open_protocol(session, new.protocol)
    configuration = convert_configuration(new.configuration)
    check(inference.spec_of(endpoint, None), protocol.sampling, configuration)
    if store.count_open(session, organisation_id) >= MAX_OPEN_SUBMISSIONS:
        raise Conflict(f"{MAX_OPEN_SUBMISSIONS} of your submissions are open: cancel one, or wait until one has ended")
    submission = SubmissionRow(
        public_id=f"sub_{secrets.token_hex(12)}",
        organisation_id=organisation_id,
        endpoint_id=endpoint.id,
        protocol_id=protocol_id,
        configuration=configuration,
        window_start=midnight(now.date()) if new.continuous else new.window_start,
        window_end=new.window_end,
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
    logs.write_audit(
        session, now, f"org:{organisation_id}", "submission.created", submission.public_id, Reason("vendor_api")
    )
    return _view(session, submission)


def _open_protocol(session: Session, slug: str) -> tuple[int, Protocol]:
    """Return a protocol that accepts submissions (shipped, or opened), with its id. Raises InvalidInput."""
    shipped = {
        protocol.slug: protocol for protocol in BUILT_IN_PROTOCOLS if not (protocol.imported or protocol.recorded)
    }
    if slug in shipped:
        return run_store.ensure_protocol(session, shipped[slug]).id, shipped[slug]
    opened = {row.slug: row for row in run_store.asked_protocols(session) if row.orderable}
    if slug not in opened:
        names = ", ".join([*shipped, *opened])
        raise InvalidInput(f"no protocol {slug} accepts submissions; these do: {names}", pointer="/protocol")
    return opened[slug].id, run_store.read_protocol(opened[slug].body)


def cancel(session: Session, organisation_id: int, public_id: str, now: datetime) -> SubmissionView:
    """Cancel a submission; its run stops. Raises NotFound, and Conflict when it has ended."""
    submission = _find_own(session, organisation_id, public_id, store.lock_own_submission)
    if SubmissionState.CANCELLED not in SUBMISSION_MOVES[SubmissionState(submission.state)]:
        raise Conflict(f"the submission is {submission.state} and cannot be cancelled")
    store.move(
        session, submission, SubmissionState.CANCELLED, now, state_deadline=None, state_reason=Reason("by_vendor")
    )
    if submission.run_id is not None:
        run_store.pause(session, submission.run_id, Reason("run_cancelled"))
    logs.write_audit(session, now, f"org:{organisation_id}", "submission.cancelled", public_id, Reason("vendor_api"))
    return _view(session, submission)


def set_budget(
    session: Session, organisation_id: int, public_id: str, usd: Decimal | None, now: datetime
) -> SubmissionView:  # fmt: skip
    """Change a submission's budget, or with None remove it; the run goes on, or is paused, within a minute.

    Raises NotFound, and Conflict when it has ended.
    """
    submission = _find_own(session, organisation_id, public_id, store.lock_own_submission)
    if submission.state in ENDED_SUBMISSIONS and not (
        submission.continuous and submission.state == SubmissionState.PUBLISHED
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
    return _view(session, submission)


def get(session: Session, organisation_id: int, public_id: str) -> SubmissionView:
    """Return a submission of this organisation. Raises NotFound."""
    return _view(session, _find_own(session, organisation_id, public_id, store.own_submission))


def list_submissions(session: Session, organisation_id: int, before: int | None, limit: int) -> list[SubmissionView]:
    """Return this organisation's submissions, newest first, older than the row `before`."""
    return [_view(session, row) for row in store.of_organisation(session, organisation_id, before, limit)]


def _find_own(
    session: Session, organisation_id: int, public_id: str, find: Callable[[Session, int, str], SubmissionRow | None]
) -> SubmissionRow:
    # Text that the database cannot hold names nothing.
    row = find(session, organisation_id, public_id) if public_id.isprintable() else None
    if row is None:
        raise NotFound("you have no such submission")
    return row


def _view(session: Session, row: SubmissionRow) -> SubmissionView:
    spent = None if row.run_id is None else budget_store.spent_by(session, [row.run_id]).get(row.run_id)
    return SubmissionView(
        id=row.id,
        public_id=row.public_id,
        state=row.state,
        state_reason=row.state_reason,
        state_since=row.state_since,
        deadline=row.state_deadline,
        owner=row.owner,
        endpoint_id=row.endpoint_id,
        protocol=store.protocol_of(session, row),
        run_id=row.run_id,
        configuration=row.configuration,
        window_start=row.window_start,
        window_end=row.window_end,
        continuous=row.continuous,
        visibility=row.visibility,
        embargo_until=row.embargo_until,
        created_at=row.created_at,
        budget_usd=row.budget_usd,
        spent_usd=Decimal(0) if spent is None else spent.usd,
        progress=None if row.run_id is None else store.progress(session, row.run_id),
        failure=None
        if row.run_id is None
        else sample_failures.commonest_failures(session, [row.run_id]).get(row.run_id),
    )
