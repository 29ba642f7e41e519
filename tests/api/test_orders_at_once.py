"""What vendors say at once: of an order while the service moves it on, and of models that look alike."""

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
from app.db.runs import runs as run_store
from app.db.tables import Run
from app.services.vendors import registrations, submission_steps
from app.services.vendors.registrations import NewModel
from workers.context import Context, now


def waits(ctx: Context) -> bool:
    """Whether somebody waits for what a transaction holds."""
    held = text("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
    with ctx.sessions() as session:
        return session.scalar(held) is not None


@contextmanager
def meanwhile(ctx: Context, vendor: Vendor, path: str, body: Any = None) -> Iterator[Future[httpx.Response]]:
    """The vendor's words come when the sweep has begun an order's run and has not committed yet."""
    with ThreadPoolExecutor(1) as pool:
        with ctx.sessions() as session, session.begin():
            assert submission_steps.advance_submissions(session, now()) == 1
            answer = pool.submit(vendor.post, path, body)
            until(lambda: waits(ctx) or answer.done(), "the vendor's wait")
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


def test_of_names_that_look_alike_one_is_registered_however_close_they_come(ctx: Context, vendor: Vendor) -> None:
    other = ctx.commit(run_store.ensure_organisation, "zenith", "Zenith").id
    with ThreadPoolExecutor(1) as pool:
        with ctx.sessions.begin() as session:
            registrations.create_model(session, other, NewModel("zenith-4o", "Zenith 4o"), now())
            answer = pool.submit(vendor.post, "/models", {"slug": "z-40", "name": "ZENITH-40"})
            until(lambda: waits(ctx) or answer.done(), "the vendor's wait")
        said = answer.result(60)
    assert (said.status_code, "looks like a model of another" in said.text) == (409, True)
