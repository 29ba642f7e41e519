"""What an order asked and found, for its owner alone: its items, and the row of a hidden order."""

from datetime import timedelta

import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from httpx import Client
from served import NO_AUTHORITIES
from support.console import Clock, make_person
from support.vendors import Vendor, infer, judge, move_on, order, right, settle

from app.domain.judging.verdicts import Verdict
from workers import tasks
from workers.context import Context, now

pytestmark = pytest.mark.usefixtures("published")


def test_items_say_what_was_asked_and_hide_verdicts_until_nothing_can_be_steered(
    ctx: Context, url: str, vendor: Vendor
) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        placed = vendor.submit(endpoint)
        assert vendor.get(f"/submissions/{placed}/items") == {"data": [], "next_cursor": None}
        move_on()
        infer(ctx, endpoint)
    first = vendor.client.get(f"/submissions/{placed}/items?limit=2").json()
    assert len(first["data"]) == 2
    following = vendor.get(f"/submissions/{placed}/items?limit=2&cursor={first['next_cursor']}")
    items = [*first["data"], *following["data"]]
    assert (len(items), following["next_cursor"]) == (3, None)
    assert {item["problem"]["source"] for item in items} == {"atcoder"}
    assert {(item["state"], item["verdict"], item["error"]) for item in items} == {("answered", None, None)}
    judge(ctx)
    assert {item["verdict"] for item in vendor.get(f"/submissions/{placed}/items")["data"]} == {None}
    for _ in range(2):
        move_on()
    assert {item["verdict"] for item in vendor.get(f"/submissions/{placed}/items")["data"]} == {"accepted"}
    assert vendor.get(f"/submissions/{placed}/items?state=pending")["data"] == []
    assert vendor.client.get(f"/submissions/{placed}/items?state=gone").status_code == 422
    other = Vendor(ctx, url, "zenith")
    with other.client:
        for page in ("items", "preview"):
            assert other.client.get(f"/submissions/{placed}/{page}").status_code == 404


def test_a_failing_item_has_the_words_of_the_provider_and_its_next_try(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(model_server.error(500, "on fire")) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        placed = vendor.submit(endpoint)
        move_on()
        infer(ctx, endpoint)
    items = vendor.get(f"/submissions/{placed}/items?failed=true")["data"]
    assert {(item["error"], item["owner"], item["attempts"]) for item in items} == {
        ("answered 500: on fire", "vendor", 1)
    }
    assert all(item["next_try"] is not None for item in items)


def test_an_embargoed_row_is_previewed_by_its_owner_with_its_interval(ctx: Context, url: str, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        settle(ctx, order(vendor, server.url, "lyra"), verdict=Verdict.WRONG_ANSWER)
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        until = (now() + timedelta(hours=1)).isoformat()
        placed = vendor.submit(endpoint, embargo_until=until)
        assert vendor.client.get(f"/submissions/{placed}/preview").status_code == 409
        move_on()
        infer(ctx, endpoint)
    judge(ctx)
    for _ in range(2):
        move_on()
    tasks.aggregate()
    assert vendor.state(placed)["state"] == "embargoed"
    shown = vendor.get(f"/submissions/{placed}/preview")
    assert (shown["model"], shown["board"], shown["protocol"]) == ("orion", "codegen", "fresh")
    row = shown["row"]
    assert (row["score"], row["problems"], row["coverage"]) == (100.0, 3, 1.0)
    assert row["ci_lo"] is not None
    assert shown["public_from"] is not None
    with Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as browser:
        person = make_person(browser, Clock(now()), ctx.sessions, "acme", "ada@example.org", "viewer")
        for part, words in (("", "Preview of the row"), ("/preview", "100.0"), ("/items", "accepted")):
            page = person.get(f"/orders/{placed}{part}")
            assert (page.status_code, words in page.text) == (200, True), part
    published = vendor.get("/submissions?model=lyra")["data"][0]["id"]
    refused = vendor.client.get(f"/submissions/{published}/preview")
    assert (refused.status_code, "its row is on the board" in refused.json()["detail"]) == (409, True)
