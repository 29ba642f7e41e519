"""What an order may cost: it is paused when that is used up, and goes on when the vendor allows more."""

from typing import Any

import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from support.vendors import Vendor, infer, judge

from workers import tasks
from workers.context import Context

pytestmark = pytest.mark.usefixtures("published")

USAGE = {"prompt_tokens": 1000, "completion_tokens": 9000}
PRICES: dict[str, Any] = {"price_input": 10, "price_output": 10}  # a call costs $0.10, and may cost $0.18


def order_with(ctx: Context, vendor: Vendor, server: ModelServer, budget: float, **prices: float) -> tuple[int, str]:
    vendor.model()
    endpoint = vendor.endpoint(server.url, "orion", **prices)
    order = vendor.submit(endpoint, budget_usd=budget)
    tasks.sweep()
    infer(ctx, endpoint)
    infer(ctx, endpoint)
    tasks.sweep()
    return endpoint, order


def allow(vendor: Vendor, order: str, usd: float | None, status: int = 200) -> Any:
    answer = vendor.post(f"/submissions/{order}/budget", {"usd": usd})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_an_order_waits_for_money_and_then_goes_on_to_the_board(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(model_server.message("x", usage=USAGE)) as server:
        endpoint, order = order_with(ctx, vendor, server, 0.25, **PRICES)
        assert len(server.asked) == 1
        paused = vendor.state(order)
        assert (paused["state"], paused["owner"], paused["deadline"]) == ("paused", "vendor", None)
        assert paused["state_reason"].startswith("its budget is used up: $0.10 of $0.25 are spent, and the next call")
        assert paused["budget"] == {"usd": 0.25, "spent_usd": 0.1}
        tasks.sweep()
        assert vendor.state(order)["state"] == "paused"
        assert allow(vendor, order, 1.0)["budget"] == {"usd": 1.0, "spent_usd": 0.1}
        tasks.sweep()
        tasks.sweep()
        infer(ctx, endpoint)
        assert len(server.asked) == 3
    judge(ctx)
    tasks.sweep()
    tasks.sweep()
    assert vendor.state(order)["state"] == "published"
    allow(vendor, order, 5.0, status=409)


def test_an_order_with_a_budget_and_without_prices_is_refused(vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    body = {"endpoint": endpoint, "continuous": True, "budget_usd": 5}
    answer = vendor.post("/submissions", body)
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, "/budget_usd")
    assert "price_input and price_output" in answer.json()["detail"]
    assert vendor.endpoint("https://93.184.216.34/v1", **PRICES) == endpoint
    assert vendor.post("/submissions", body).status_code == 201


def test_a_budget_set_without_prices_says_what_it_needs(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(model_server.message("x", usage=USAGE)) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        allow(vendor, order, 5)
        for _twice in range(2):
            tasks.sweep()
            infer(ctx, endpoint)
        tasks.sweep()
        assert not server.asked
        paused = vendor.state(order)
        reason = "the price of a call is not known, so that its budget cannot be kept"
        assert (paused["state"], paused["owner"], paused["state_reason"]) == ("paused", "vendor", reason)
        assert vendor.endpoint(server.url, **PRICES) == endpoint
        for _ in range(2):
            tasks.sweep()
        infer(ctx, endpoint)
        assert len(server.asked) == 3


def test_a_limit_can_be_lifted_and_a_cancelled_order_stays_cancelled(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(model_server.message("x", usage=USAGE)) as server:
        endpoint, order = order_with(ctx, vendor, server, 0.01, **PRICES)
        assert vendor.state(order)["state"] == "paused"
        assert vendor.post(f"/submissions/{order}/cancel").status_code == 200
        allow(vendor, order, None, status=409)
        tasks.sweep()
        infer(ctx, endpoint)
        assert not server.asked
        other = vendor.submit(endpoint, budget_usd=0)
        assert allow(vendor, other, None)["budget"]["usd"] is None
        tasks.sweep()
        infer(ctx, endpoint)
        assert len(server.asked) == 3


def test_amounts_that_are_none_are_refused(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(model_server.message("x", usage=USAGE)) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        for amount in (-1, "much", 10**10, 0.00000001):
            body = {"endpoint": endpoint, "continuous": True, "budget_usd": amount}
            assert vendor.post("/submissions", body).status_code == 422
    assert ctx
