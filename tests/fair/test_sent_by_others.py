"""Nobody takes a rival's rank by having its address asked, and nobody is sent problems through a friend."""

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from support.vendors import SECRET, Maintainer, Vendor, ask, order, rows_of, settle, show, solves

from app.domain.judging.verdicts import Verdict
from workers.context import Context

pytestmark = pytest.mark.usefixtures("published")

COUNT = 2


def keyed(asked: Asked) -> Say:
    """Solves everything for whoever has the key, and refuses everybody else."""
    return solves(asked) if "Bearer " + SECRET in asked.headers["authorization"] else model_server.error(401, "no key")


def test_what_an_address_refused_a_stranger_takes_no_rank_from_its_owner(
    ctx: Context, url: str, vendor: Vendor
) -> None:
    mallory = Vendor(ctx, url, "mallory")
    with mallory.client, ModelServer(keyed) as server:
        mallory.model("mal")
        endpoint = mallory.endpoint(server.url, "mal", secret="sk-nothing-at-all")
        mallory.submit(endpoint, visibility="private")
        ask(endpoint)
        show()
        assert server.asked, "the prompts were shown"
        settle(ctx, order(vendor, server.url, "orion"))
        address = server.url.removeprefix("http://").split("/")[0]
        [line] = vendor.get("/addresses")["data"]
        assert (line["address"], line["organisation"], line["answered"]) == (address, "mallory", False)
        assert mallory.get("/addresses")["data"] == [], "with a made-up key nobody learns who is asked there"
        page = Maintainer(ctx, url, "ada@example.org").page("/en/ops/runs")
        assert [f'<td data-label="Requested by">{who}<' in page for who in ("mallory", "acme")] == [True, True]
    row = rows_of(url)["orion"]
    assert (row["rank"], row["served"], row["exposed"]) == (1, 0, 0)


def test_what_an_address_answered_a_friend_it_was_sent(ctx: Context, url: str, vendor: Vendor) -> None:
    friend = Vendor(ctx, url, "friend")
    with friend.client, ModelServer(keyed) as server:
        settle(ctx, order(friend, server.url, "fay", visibility="private"), verdict=Verdict.WRONG_ANSWER)
        settle(ctx, order(vendor, server.url, "orion"))
        [line] = vendor.get("/addresses")["data"]
        assert (line["organisation"], line["problems"], line["answered"]) == ("friend", COUNT, True)
    row = rows_of(url)["orion"]
    assert (row["rank"], row["served"]) == (None, COUNT)


def test_what_its_own_endpoint_refused_it_was_sent(ctx: Context, url: str, vendor: Vendor) -> None:
    with ModelServer(keyed) as server:
        vendor.model("first")
        endpoint = vendor.endpoint(server.url, "first", secret="sk-a-wrong-one")
        vendor.submit(endpoint, visibility="private")
        ask(endpoint)
        show()
        shown = len(server.asked)
        settle(ctx, order(vendor, server.url, "orion"))
    row = rows_of(url)["orion"]
    assert shown
    assert (row["rank"], row["served"]) == (None, COUNT)
