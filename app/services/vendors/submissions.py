"""Vendors' submissions: registered before anything is asked, read, and cancelled."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.db.kernel import logs
from app.db.kernel.session import Session
from app.db.runs import budgets as budget_store
from app.db.runs import runs as run_store
from app.db.runs import sample_failures
from app.db.runs.sample_failures import CommonFailure
from app.db.tables import Submission as SubmissionRow
from app.db.vendors import submissions as store
from app.domain.asking.completions import RunCheck
from app.domain.asking.configuration import convert_configuration
from app.domain.asking.protocols import BUILT_IN_PROTOCOLS, Protocol
from app.domain.errors import Conflict, InvalidInput, NotFound
from app.domain.reasons import Reason
from app.domain.states import ENDED_SUBMISSIONS, SUBMISSION_MOVES, SubmissionState, next_step
from app.domain.windows import midnight
from app.services.runs import announcements, budgets, inference
from app.services.vendors import practice

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


InstantWindow = TypedDict("InstantWindow", {"from": datetime | None, "to": datetime | None})
InstantWindow.__doc__ = "Release times `[from, to)`; null for an open end."


@dataclass(frozen=True, slots=True)
class SubmissionBudget:
    """US dollars that an order may cost (null for no limit), and those it has cost."""

    usd: float | None
    spent_usd: float  # of answers whose cost is known


@dataclass(frozen=True, slots=True)
class SubmissionProgress:
    """Numbers of an order's answers."""

    total: int
    generated: int
    judged: int
    no_answer: int
    failed_vendor: int
    failed_ours: int


@dataclass(frozen=True, slots=True)
class SubmissionAnswer:
    """An order as it stands; `owner` owns the next step."""

    object: Literal["submission"]
    id: str
    state: str
    state_reason: str | None
    state_since: datetime
    deadline: datetime | None
    owner: str
    next_step: Annotated[str, Field(description="what its owner does next, in words")]
    endpoint: int
    protocol: str
    practice: Annotated[bool, Field(description="whether it is practice: private, and without effect on any board")]
    run: Annotated[int | None, Field(description="its run, once there is one")]
    configuration: Mapping[str, str | bool | int | float]
    window: InstantWindow
    continuous: bool
    visibility: str
    embargo_until: datetime | None
    created_at: datetime
    budget: SubmissionBudget
    progress: SubmissionProgress | None
    failure: CommonFailure | None  # the commonest one of its unanswered samples


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """Your orders, newest first."""

    data: list[SubmissionAnswer]
    next_cursor: Annotated[int | None, Field(description="the cursor of the next page; null on the last one")]


def submit(
    session: Session, organisation_id: int, new: NewSubmission, now: datetime, check: RunCheck
) -> SubmissionAnswer:
    """Pre-register a submission and queue it. Raises NotFound and InvalidInput, and Conflict if too many are open."""
    endpoint = store.own_endpoint(session, organisation_id, new.endpoint_id)
    if endpoint is None:
        raise NotFound(f"you have no endpoint {new.endpoint_id}")
    if practice.is_practice_protocol(new.protocol):
        practice.check_practice(
            session, organisation_id, now, continuous=new.continuous, embargo_until=new.embargo_until
        )
        new = replace(new, public=False, window_end=new.window_end or now)
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
    announcements.announce_registration(session, submission, now)
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


def cancel(session: Session, organisation_id: int, public_id: str, now: datetime) -> SubmissionAnswer:
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
) -> SubmissionAnswer:  # fmt: skip
    """Change a submission's budget, or with None remove it; the run goes on, or is paused, within a minute.

    Raises NotFound, and Conflict when it has ended.
    """
    submission = _find_own(session, organisation_id, public_id, store.lock_own_submission)
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
    return _view(session, submission)


def get(session: Session, organisation_id: int, public_id: str) -> SubmissionAnswer:
    """Return a submission of this organisation. Raises NotFound."""
    return _view(session, _find_own(session, organisation_id, public_id, store.own_submission))


def list_submissions(session: Session, organisation_id: int, before: int | None, limit: int) -> SubmissionPage:
    """Return this organisation's submissions, newest first, older than the row `before`."""
    rows = store.of_organisation(session, organisation_id, before, limit)
    return SubmissionPage([_view(session, row) for row in rows], rows[-1].id if len(rows) == limit else None)


def _find_own(
    session: Session, organisation_id: int, public_id: str, find: Callable[[Session, int, str], SubmissionRow | None]
) -> SubmissionRow:
    # Text that the database cannot hold names nothing.
    row = find(session, organisation_id, public_id) if public_id.isprintable() else None
    if row is None:
        raise NotFound("you have no such submission")
    return row


def _view(session: Session, row: SubmissionRow) -> SubmissionAnswer:
    spent, progress, failure = Decimal(0), None, None
    if row.run_id is not None:
        if (cost := budget_store.spent_by(session, [row.run_id]).get(row.run_id)) is not None:
            spent = cost.usd
        progress = _progress(session, row.run_id)
        failure = sample_failures.commonest_failures(session, [row.run_id]).get(row.run_id)
    return SubmissionAnswer(
        object="submission",
        id=row.public_id,
        state=row.state,
        state_reason=row.state_reason,
        state_since=row.state_since,
        deadline=row.state_deadline,
        owner=row.owner,
        next_step=next_step(SubmissionState(row.state), row.owner),
        endpoint=row.endpoint_id,
        protocol=(protocol := store.protocol_of(session, row)),
        practice=practice.is_practice_protocol(protocol),
        run=row.run_id,
        configuration=row.configuration,
        window={"from": row.window_start, "to": row.window_end},
        continuous=row.continuous,
        visibility=row.visibility,
        embargo_until=row.embargo_until,
        created_at=row.created_at,
        budget=SubmissionBudget(None if row.budget_usd is None else float(row.budget_usd), float(spent)),
        progress=progress,
        failure=failure,
    )


def _progress(session: Session, run_id: int) -> SubmissionProgress:
    counts = store.progress(session, run_id)
    return SubmissionProgress(
        total=counts.total,
        generated=counts.total - counts.waiting,
        judged=counts.graded,
        no_answer=counts.unanswered,
        failed_vendor=counts.failed_vendor,
        failed_ours=counts.failed_ours,
    )
