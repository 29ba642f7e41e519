"""Registering an endpoint, as the page of the API shows it and again: what may follow, and what would mix two
deployments under one name."""

import html
import json
import re
from decimal import Decimal
from typing import Any

import httpx
import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from support.vendors import SECRET, Vendor, ask, infer, publish, right, settle, show

from app.db.tables import Endpoint
from app.domain.reasons import text_reason
from app.services.runs.control import endpoints
from workers import tasks
from workers.context import Context, now

FIRST, SECOND = "https://93.184.216.34/v1", "https://8.8.8.8/v1"


def again(vendor: Vendor, **fields: Any) -> httpx.Response:
    return vendor.post("/endpoints", {"model": "orion", "remote_name": "orion-1", "base_url": FIRST} | fields)


def row(ctx: Context, endpoint: int) -> Endpoint:
    with ctx.sessions() as session:
        return session.get_one(Endpoint, endpoint)


def secret(ctx: Context, endpoint: int) -> str | None:
    sealed = row(ctx, endpoint).secret_encrypted
    return None if sealed is None else ctx.vault.open(sealed)


def test_what_is_not_given_again_stays(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint(FIRST, max_concurrency=3, price_input="1.5", price_output="6")
    vendor.submit(endpoint)
    with ctx.sessions.begin() as session:
        stopped = session.get_one(Endpoint, endpoint)
        stopped.stopped_at, stopped.stopped_reason = now(), text_reason("the key was refused")
    answer = again(vendor)
    assert (answer.status_code, answer.json()["id"], answer.json()["stopped"]) == (200, endpoint, None)
    assert answer.json()["has_secret"] is True
    kept = row(ctx, endpoint)
    assert (kept.max_concurrency, kept.price_input, kept.price_output) == (3, Decimal("1.5"), Decimal(6))
    assert secret(ctx, endpoint) == SECRET
    assert again(vendor, max_concurrency=5, price_output="7", secret="new").json()["max_concurrency"] == 5
    changed = row(ctx, endpoint)
    assert (changed.price_input, changed.price_output, changed.stopped_at) == (Decimal("1.5"), Decimal(7), None)
    assert secret(ctx, endpoint) == "new"
    with ctx.sessions() as session:
        prices = [(line.input, line.output) for line in endpoints.price_history(session, "orion")]
    assert prices == [(Decimal("1.5"), Decimal(6)), (Decimal("1.5"), Decimal(7))], "each is paid from its own moment on"
    assert again(vendor, timeout_s=7200).json()["timeout_s"] == 7200
    assert again(vendor).json()["timeout_s"] == 7200, "what is not said stays"
    for wrong in (0, -1, 1e9, "long"):
        assert again(vendor, timeout_s=wrong).status_code == 422
    assert again(vendor, remote_name="other").json()["max_concurrency"] == 8


def test_another_address_is_taken_before_anything_was_ordered(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint(FIRST)
    leaking = again(vendor, base_url=SECOND)
    assert leaking.status_code == 422
    assert leaking.json()["errors"][0]["pointer"] == "/secret"
    assert row(ctx, endpoint).base_url == FIRST
    moved = again(vendor, base_url=SECOND, secret="new")
    assert (moved.status_code, moved.json()["id"], moved.json()["base_url"]) == (200, endpoint, SECOND)
    assert secret(ctx, endpoint) == "new"


def test_another_address_is_taken_while_an_order_waits_for_its_first_answer(ctx: Context, vendor: Vendor) -> None:
    """A wrong path is corrected once, and the order goes on by itself."""
    publish(ctx, 1)
    with ModelServer(right) as server, ModelServer(lambda _: model_server.error(404, "no such path")) as wrong:
        vendor.model()
        endpoint = vendor.endpoint(wrong.url)
        order = vendor.submit(endpoint)
        ask(endpoint)
        show()
        assert [vendor.state(order)[name] for name in ("state", "owner")] == ["stalled", "vendor"]
        assert again(vendor, base_url=server.url, secret=SECRET).status_code == 200
        settle(ctx, endpoint)
        settle(ctx, endpoint)
    assert vendor.state(order)["state"] == "published"


@pytest.mark.parametrize("cancelled", [True, False])
def test_another_address_is_refused_once_it_has_answered(ctx: Context, vendor: Vendor, cancelled: bool) -> None:
    publish(ctx, 1)
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        tasks.sweep()
        infer(ctx, endpoint)
        if cancelled:
            assert vendor.post(f"/submissions/{order}/cancel").status_code == 200
        refused = again(vendor, base_url=SECOND, secret="new")
    assert refused.status_code == 409
    assert "has answered there" in refused.json()["detail"]
    assert row(ctx, endpoint).base_url == server.url


def test_the_calls_on_the_page_of_the_api_order_a_run(vendor: Vendor) -> None:
    page = html.unescape(vendor.client.get(vendor.client.base_url.join("/zh/docs/api")).text)
    calls = re.findall(r"curl \S+/api/v1/vendor(/\w+) .*--json '(.*)'$", page, re.MULTILINE)
    assert [path for path, _body in calls] == ["/models", "/endpoints", "/submissions"]
    bodies = [json.loads(body) for _path, body in calls]
    assert vendor.post("/models", bodies[0]).status_code == 201
    served = vendor.post("/endpoints", bodies[1] | {"base_url": FIRST})  # a host that needs no name server
    assert served.status_code == 201, served.text
    order = vendor.post("/submissions", bodies[2] | {"endpoint": served.json()["id"]})
    assert (order.status_code, order.json()["state"]) == (201, "queued")
