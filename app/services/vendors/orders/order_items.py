"""Items of an order as its vendor may see them: no hidden test, and no verdict while the order can still be steered."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from app.db.kernel.session import Session
from app.db.vendors import order_items as store
from app.db.vendors.order_items import ItemRow
from app.domain.cursors import read_cursor, write_cursor
from app.domain.states import SampleState, SubmissionState
from app.services.vendors import submissions

_CURSOR = "items"
# A vendor that saw verdicts before could pause or cancel by them.
VERDICT_STATES = frozenset(
    {
        SubmissionState.EMBARGOED,
        SubmissionState.PUBLISHED,
        SubmissionState.WITHDRAWN,
        SubmissionState.CANCELLED,
        SubmissionState.FAILED,
        SubmissionState.EXPIRED,
    }
)


@dataclass(frozen=True, slots=True)
class ItemProblem:
    """The problem of an item."""

    source: str
    external_id: str
    title: str
    released_on: datetime | None


@dataclass(frozen=True, slots=True)
class OrderItem:
    """One answer that an order asks for."""

    object: Literal["item"]
    id: Annotated[int, Field(description="the id of the sample, by which a verdict is disputed")]
    problem: Annotated[ItemProblem | None, Field(description="null while the problem is not public")]
    item: int
    ordinal: Annotated[int, Field(description="the number of the answer to this item, from 0")]
    state: str
    attempts: int
    requests: int
    error: Annotated[str | None, Field(description="the last failure, in the provider's words")]
    owner: Annotated[str | None, Field(description="of that failure: `vendor` or `us`")]
    next_try: Annotated[datetime | None, Field(description="not asked again before; null if it is due or done")]
    answered_at: datetime | None
    no_answer: Annotated[bool, Field(description="true if the endpoint failed for as long as it may: a result")]
    cost_usd: float | None
    verdict: Annotated[
        str | None, Field(description="null while it is not judged, or the order is still asked or judged")
    ]


@dataclass(frozen=True, slots=True)
class OrderItemPage:
    """Items of an order in the order in which they are asked."""

    data: list[OrderItem]
    next_cursor: Annotated[str | None, Field(description="the cursor of the next page; null on the last one")]


def list_items(
    session: Session,
    organisation_id: int,
    public_id: str,
    cursor: str | None,
    limit: int,
    *,
    state: SampleState | None = None,
    failed: bool = False,
) -> OrderItemPage:
    """Return a page of an order's items, none before it has a run. Raises NotFound, and InvalidInput for a cursor."""
    order = submissions.find_own(session, organisation_id, public_id)
    after = None if cursor is None else read_cursor(_CURSOR, cursor)
    if order.run_id is None:
        return OrderItemPage([], None)
    rows = store.list_items(session, order.run_id, after, limit + 1, state=state, failed=failed)
    more = write_cursor(_CURSOR, rows[limit - 1].id) if len(rows) > limit else None
    shows_verdicts = order.state in VERDICT_STATES
    return OrderItemPage([_view(row, shows_verdict=shows_verdicts) for row in rows[:limit]], more)


def _view(row: ItemRow, *, shows_verdict: bool) -> OrderItem:
    problem = ItemProblem(row.source, row.external_id, row.title, row.released_on) if row.public else None
    waits = row.state == SampleState.PENDING
    return OrderItem(
        object="item",
        id=row.id,
        problem=problem,
        item=row.item,
        ordinal=row.ordinal,
        state=row.state,
        attempts=row.attempts,
        requests=row.requests,
        error=row.error,
        owner=row.error_owner,
        next_try=row.not_before if waits else None,
        answered_at=row.answered_at,
        no_answer=row.unanswered,
        cost_usd=None if row.cost_usd is None else float(row.cost_usd),
        verdict=row.verdict if shows_verdict else None,
    )
