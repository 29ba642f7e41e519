"""Protocols that accept a vendor's orders."""

from typing import Annotated, Any

from fastapi import Query
from fastapi.encoders import jsonable_encoder
from pydantic import Field

from app.api.deps import State
from app.api.description import json_response
from app.api.requests import Body
from app.api.vendors.bodies import Price
from app.api.vendors.context import MayRead, vendor_router
from app.domain.asking.money import Prices
from app.services.vendors.orders import order_protocols
from app.services.vendors.orders.order_protocols import OrderableProtocolList

router = vendor_router()


class PriceQuery(Body):
    """Prices to estimate costs with, in US dollars per million tokens."""

    price_input: Price | None = Field(None, description="US dollars per million tokens read")
    price_cached: Price | None = Field(None, description="as `price_input` unless given")
    price_output: Price | None = Field(None, description="US dollars per million tokens written")


@router.get("/protocols", operation_id="list_protocols", responses=json_response(OrderableProtocolList))
def list_protocols(holder: MayRead, state: State, prices: Annotated[PriceQuery, Query()]) -> Any:
    """List the protocols that may be ordered: what each asks, how many problems it covers now, and what that costs.

    The cost is that of as many tokens as earlier answers took, at the prices given. The key needs the scope
    `submissions:read`.
    """
    given = Prices(prices.price_input, prices.price_output, prices.price_cached)
    with state.sessions() as session:
        return jsonable_encoder(order_protocols.list_protocols(session, holder.organisation_id, given))
