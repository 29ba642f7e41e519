"""Results of a vendor's submissions: their items, and the preview of a hidden row."""

from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse
from pydantic import Field

from app.api.deps import HeavyRequest, State
from app.api.description import error_responses, json_response
from app.api.vendors.context import MayRead, vendor_router
from app.api.vendors.pages import CursorPaging, page_response
from app.domain.states import SampleState
from app.services.vendors.orders import order_items, order_previews
from app.services.vendors.orders.order_items import OrderItemPage
from app.services.vendors.orders.order_previews import OrderPreview

router = vendor_router()


class ItemPaging(CursorPaging):
    """The page of a list of items."""

    state: SampleState | None = Field(None, description="only those in this state")
    failed: bool = Field(default=False, description="only those whose last request failed and that have no answer")


@router.get(
    "/submissions/{public_id}/items",
    operation_id="list_items",
    responses=json_response(OrderItemPage) | error_responses(404),
)
def list_items(
    request: Request, public_id: str, holder: MayRead, state: State, paging: Annotated[ItemPaging, Query()]
) -> JSONResponse:
    """List what a submission asks, one entry an answer: state, attempts, the provider's error, the next try, verdict.

    Verdicts are shown once the submission is neither asked nor judged any more. The key needs the scope
    `submissions:read`.
    """
    with state.sessions() as session:
        page = order_items.list_items(
            session,
            holder.organisation_id,
            public_id,
            paging.cursor,
            paging.limit,
            state=paging.state,
            failed=paging.failed,
        )
    return page_response(request, page)


@router.get(
    "/submissions/{public_id}/preview",
    operation_id="get_preview",
    responses=json_response(OrderPreview) | error_responses(404, 409, 503),
    dependencies=[HeavyRequest],
)
def get_preview(public_id: str, holder: MayRead, state: State) -> Any:
    """Return the row of a private or embargoed submission as it would stand on its board now, for its owner alone.

    With its interval and the range of its rank, in the order's own window. The key needs the scope `submissions:read`.
    """
    with state.sessions() as session:
        return jsonable_encoder(order_previews.preview_order(session, holder.organisation_id, public_id, state.cubes))
