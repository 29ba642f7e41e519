"""What a vendor says of an order while the service moves it on."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
from fakes.model_server import ModelServer
from sqlalchemy import select, text
from support.vendors import Vendor, publish, right
from support.waiting import until

from app.db.runs import budgets
from app.db.tables import Run
from app.services.vendors import advance
from workers.context import Context, now


@contextmanager
def meanwhile(ctx: Context, vendor: Vendor, path: str, body: Any = None) -> Iterator[Future[httpx.Response]]:
    """The vendor's words come when the sweep has begun an order's run and has not committed yet."""
    waits = text("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")

    def is_waiting() -> bool:
        with ctx.sessions() as session:
            return session.scalar(waits) is not None

    with ThreadPoolExecutor(1) as pool:
        with ctx.sessions() as session, session.begin():
            assert advance.advance(session, now()) == 1
            answer = pool.submit(vendor.post, path, body)
            until(lambda: is_waiting() or answer.done(), "the vendor's wait")
        yield answer


def ordered(ctx: Context, vendor: Vendor) -> str:
    publish(ctx, 1)
    vendor.model()
    with ModelServer(right) as server:
        return vendor.submit(vendor.endpoint(server.url, price_input=1, price_output=1))


def begun(ctx: Context) -> Run:
    with ctx.sessions() as session:
        return session.scalars(select(Run)).one()


def test_an_order_that_is_cancelled_while_its_run_begins_is_cancelled(ctx: Context, vendor: Vendor) -> None:
    order = ordered(ctx, vendor)
    with meanwhile(ctx, vendor, f"/submissions/{order}/cancel") as answer:
        said = answer.result(60)
    assert (said.status_code, said.json()["state"]) == (200, "cancelled")
    assert vendor.state(order)["state"] == "cancelled"
    assert begun(ctx).state == "paused", "nothing is asked for it"


def test_a_budget_that_is_set_while_its_run_begins_holds(ctx: Context, vendor: Vendor) -> None:
    order = ordered(ctx, vendor)
    with meanwhile(ctx, vendor, f"/submissions/{order}/budget", {"usd": 0.5}) as answer:
        assert answer.result(60).status_code == 200
    with ctx.sessions() as session:
        limits = budgets.of_run(session, begun(ctx).id)
    assert [float(limit.usd) for limit in limits] == [0.5]
