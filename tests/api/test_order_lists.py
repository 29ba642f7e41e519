"""Lists of a vendor's orders: pages, filters, one query for each kind of facts, and orders of several models."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event
from support.batches import START
from support.vendors import Vendor, ask

from app.db.kernel.session import SessionMaker
from app.db.vendors.order_lists import OrderFilter
from app.services.vendors.orders import order_views
from workers.context import Context

pytestmark = pytest.mark.usefixtures("published")

ADDRESS = "https://93.184.216.34/v1"
WINDOW = {"from": START.date().isoformat(), "to": "2026-12-31"}


@contextmanager
def queries(sessions: SessionMaker) -> Iterator[list[str]]:
    """The statements that are sent meanwhile."""
    seen: list[str] = []
    with sessions() as session:
        engine = session.get_bind()

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        seen.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(engine, "before_cursor_execute", note)


def test_a_list_asks_as_often_for_many_orders_as_for_one(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint(ADDRESS)
    for _ in range(12):
        vendor.submit(endpoint)
    ask()
    counts = {}
    for limit in (1, 12):
        with queries(ctx.sessions) as seen, ctx.sessions() as session:
            page = order_views.list_orders(session, 1, OrderFilter(), None, limit)
        assert len(page.data) == limit
        assert all(order.progress is not None and order.progress.total == 3 for order in page.data)
        counts[limit] = len(seen)
    assert counts[12] == counts[1] <= 6, counts


def test_a_page_links_to_the_next_one_and_filters(vendor: Vendor) -> None:
    vendor.model()
    vendor.model("lyra")
    first, second = vendor.endpoint(ADDRESS), vendor.endpoint(ADDRESS, "lyra")
    orders = [vendor.submit(first), vendor.submit(second), vendor.submit(first)]
    answer = vendor.client.get("/submissions?limit=2&model=orion")
    assert [order["id"] for order in answer.json()["data"]] == [orders[2], orders[0]]
    assert (answer.json()["next_cursor"], answer.headers.get("link")) == (None, None)
    answer = vendor.client.get("/submissions?limit=1&model=orion")
    cursor = answer.json()["next_cursor"]
    assert not cursor.isdigit(), "a cursor says nothing of rows"
    assert answer.headers["link"] == (f'</api/v1/vendor/submissions?limit=1&model=orion&cursor={cursor}>; rel="next"')
    link = answer.headers["link"].partition(">")[0].removeprefix("<")
    following = vendor.client.get(vendor.client.base_url.join(link))
    assert [order["id"] for order in following.json()["data"]] == [orders[0]]
    vendor.post(f"/submissions/{orders[0]}/cancel")
    assert [order["id"] for order in vendor.get("/submissions?state=cancelled")["data"]] == [orders[0]]
    assert vendor.get("/submissions?state=judging")["data"] == []


def test_several_models_are_ordered_in_one_call_or_none(vendor: Vendor) -> None:
    vendor.model()
    vendor.model("lyra")
    names = [vendor.endpoint(ADDRESS), vendor.endpoint(ADDRESS, "lyra")]
    body = {"endpoints": names, "window": WINDOW}
    refused = vendor.post("/submission-groups", body | {"endpoints": [*names, 99]})
    assert refused.status_code == 404
    assert vendor.post("/submission-groups", body | {"endpoints": [names[0], names[0]]}).status_code == 422
    assert vendor.get("/submissions")["data"] == []
    placed = vendor.post("/submission-groups", body, "one")
    assert placed.status_code == 201, placed.text
    group = placed.json()
    assert [order["model"] for order in group["data"]] == ["orion", "lyra"]
    assert {order["group"] for order in group["data"]} == {group["id"]}
    assert vendor.post("/submission-groups", body, "one").json() == group
    listed = vendor.get(f"/submissions?group={group['id']}")["data"]
    assert [order["model"] for order in listed] == ["lyra", "orion"]


def test_an_order_says_its_place_and_the_next_step(vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint(ADDRESS)
    first, second = vendor.submit(endpoint), vendor.submit(endpoint)
    assert vendor.state(first)["queue"] == {"position": 1, "samples_before": 0}
    ask()
    state = vendor.state(second)
    assert state["queue"] == {"position": 2, "samples_before": 3}
    assert state["next_step"] == "nothing for you to do: it goes on by itself"
    assert (state["endpoint"], state["endpoint_id"][:3]) == (endpoint, "ep_")
    vendor.post(f"/submissions/{second}/cancel")
    ended = vendor.state(second)
    assert (ended["queue"], ended["eta"], ended["deadline"]) == (None, None, None)


def test_an_order_takes_the_opaque_id_of_an_endpoint(vendor: Vendor) -> None:
    vendor.model()
    number = vendor.endpoint(ADDRESS)
    name = vendor.state(vendor.submit(number))["endpoint_id"]
    placed = vendor.post("/submissions", {"endpoint": name, "window": WINDOW})
    assert (placed.status_code, placed.json()["endpoint"]) == (201, number)
    assert vendor.post("/submissions", {"endpoint": f"ep_{'0' * 32}", "window": WINDOW}).status_code == 404
    assert vendor.post("/submissions", {"endpoint": "ep_x", "window": WINDOW}).status_code == 422
