"""Orders as their vendor sees them: state, next step, place in the queue, progress, promise and spending."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from app.db.kernel.session import Session
from app.db.runs import budgets as budget_store
from app.db.runs import sample_failures
from app.db.runs.budgets import RunCost
from app.db.runs.sample_failures import CommonFailure
from app.db.tables import Submission as SubmissionRow
from app.db.vendors import order_lists
from app.db.vendors import submissions as store
from app.db.vendors.order_lists import NamedSubmission, OrderFilter, QueuePlace
from app.db.vendors.submissions import SampleProgress
from app.domain.asking.promises import Promise
from app.domain.cursors import read_cursor, write_cursor
from app.domain.states import ENDED_SUBMISSIONS, SubmissionState, next_step
from app.services.vendors import practice

_CURSOR = "submissions"

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
class OrderQueue:
    """Place of an order at its endpoint, whose orders are asked oldest first."""

    position: Annotated[int, Field(description="1 for the order that is asked now")]
    samples_before: Annotated[int, Field(description="samples of earlier orders that are asked before its own")]


@dataclass(frozen=True, slots=True)
class OrderEta:
    """Time at which the order is expected to be done. It moves back only with a reason."""

    at: datetime
    promised_at: Annotated[datetime, Field(description="when this time was promised")]
    later_because: Annotated[str | None, Field(description="why it is later than the time promised before")]


@dataclass(frozen=True, slots=True)
class SubmissionAnswer:
    """An order as it stands; `owner` owns the next step."""

    object: Literal["submission"]
    id: str
    group: Annotated[str | None, Field(description="the id that the orders of one request share")]
    state: str
    state_reason: str | None
    state_since: datetime
    deadline: Annotated[datetime | None, Field(description="until when the next step is due; null once it has ended")]
    owner: str
    next_step: Annotated[str, Field(description="what happens next, or what to do, in words")]
    model: Annotated[str, Field(description="the slug of its model")]
    endpoint: int
    endpoint_id: Annotated[str, Field(description="the opaque id of its endpoint")]
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
    queue: Annotated[OrderQueue | None, Field(description="null once it has ended, or while it is judged")]
    eta: Annotated[OrderEta | None, Field(description="null before its speed is known, and while nothing is done")]
    progress: SubmissionProgress | None
    failure: CommonFailure | None  # the commonest one of its unanswered samples
    warnings: Annotated[list[str], Field(description="why it may never run, as known when it was placed")]


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """Your orders, newest first."""

    data: list[SubmissionAnswer]
    next_cursor: Annotated[str | None, Field(description="the cursor of the next page; null on the last one")]


@dataclass(frozen=True, slots=True)
class SubmissionGroup:
    """Orders that one request placed, all or none of them."""

    object: Literal["submission_group"]
    id: Annotated[str, Field(description="give it as `group` to list these orders")]
    data: list[SubmissionAnswer]


def view_order(session: Session, row: SubmissionRow, warnings: Sequence[str] = ()) -> SubmissionAnswer:
    """Return one order as its vendor sees it."""
    [answer] = _view_orders(session, order_lists.names_of(session, [row.id]), warnings)
    return answer


def view_group(session: Session, group: str, rows: Sequence[SubmissionRow], warnings: Sequence[str]) -> SubmissionGroup:
    """Return the orders of one request in the order in which they were placed."""
    named = order_lists.names_of(session, [row.id for row in rows])
    return SubmissionGroup("submission_group", group, _view_orders(session, named[::-1], warnings))


def list_orders(
    session: Session, organisation_id: int, where: OrderFilter, cursor: str | None, limit: int
) -> SubmissionPage:
    """Return a page of an organisation's orders, newest first. Raises InvalidInput for a cursor of another list."""
    before = None if cursor is None else read_cursor(_CURSOR, cursor)
    rows = order_lists.list_named(session, organisation_id, where._replace(before=before), limit + 1)
    page = rows[:limit]
    more = write_cursor(_CURSOR, page[-1].submission.id) if len(rows) > limit else None
    return SubmissionPage(_view_orders(session, page), more)


def _view_orders(
    session: Session, rows: Sequence[NamedSubmission], warnings: Sequence[str] = ()
) -> list[SubmissionAnswer]:
    """Return orders with one query for each kind of facts, however many there are."""
    runs = [row.submission.run_id for row in rows if row.submission.run_id is not None]
    costs = budget_store.spent_by(session, runs) if runs else {}
    counts = store.progress_by_run(session, runs) if runs else {}
    failures = sample_failures.commonest_failures(session, runs) if runs else {}
    asked = {row.endpoint.id for row in rows if row.submission.state in _QUEUED_STATES}
    places = order_lists.queue_places(session, asked) if asked else {}
    return [
        _view(row, costs, counts, failures, places.get(row.submission.id), list(warnings)) for row in rows
    ]  # fmt: skip


_QUEUED_STATES = (
    SubmissionState.VALIDATING,
    SubmissionState.QUEUED,
    SubmissionState.PREFLIGHT,
    SubmissionState.GENERATING,
)


def _view(
    named: NamedSubmission,
    costs: Mapping[int, RunCost],
    counts: Mapping[int, SampleProgress],
    failures: Mapping[int, CommonFailure],
    place: QueuePlace | None,
    warnings: list[str],
) -> SubmissionAnswer:
    row, run_id = named.submission, named.submission.run_id or 0
    state = SubmissionState(row.state)
    spent = costs[run_id].usd if run_id in costs else Decimal(0)
    return SubmissionAnswer(
        object="submission",
        id=row.public_id,
        group=row.group_id,
        state=row.state,
        state_reason=row.state_reason,
        state_since=row.state_since,
        deadline=row.embargo_until if state is SubmissionState.EMBARGOED else row.state_deadline,
        owner=row.owner,
        next_step=next_step(state, row.owner),
        model=named.model,
        endpoint=row.endpoint_id,
        endpoint_id=named.endpoint.public_id,
        protocol=named.protocol,
        practice=practice.is_practice_protocol(named.protocol),
        run=row.run_id,
        configuration=row.configuration,
        window={"from": row.window_start, "to": row.window_end},
        continuous=row.continuous,
        visibility=row.visibility,
        embargo_until=row.embargo_until,
        created_at=row.created_at,
        budget=SubmissionBudget(None if row.budget_usd is None else float(row.budget_usd), float(spent)),
        queue=None if place is None else OrderQueue(place.orders + 1, place.samples),
        eta=None if state in ENDED_SUBMISSIONS or row.promise is None else _eta(Promise.from_json(row.promise)),
        progress=_progress(counts[run_id]) if run_id in counts else None,
        failure=failures.get(run_id),
        warnings=warnings,
    )


def _eta(promise: Promise) -> OrderEta:
    return OrderEta(promise.at, promise.made_at, promise.reason)


def _progress(counts: SampleProgress) -> SubmissionProgress:
    return SubmissionProgress(
        total=counts.total,
        generated=counts.total - counts.waiting,
        judged=counts.graded,
        no_answer=counts.unanswered,
        failed_vendor=counts.failed_vendor,
        failed_ours=counts.failed_ours,
    )
