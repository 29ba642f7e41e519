"""Nobody takes a rival's rank by having its address asked, and nobody is sent problems through a friend."""

from datetime import datetime, timedelta

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from sqlalchemy import select
from support.vendors import SECRET, Maintainer, Vendor, ask, order, rows_of, settle, show, solves

from app.db.tables import Run
from app.domain.judging.verdicts import Verdict
from workers.context import Context, now

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
        assert vendor.get("/addresses")["data"] == [], "of a private order nobody else learns"
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
        assert vendor.get("/addresses")["data"] == [], "it is private, though it cost the rank"
    row = rows_of(url)["orion"]
    assert (row["rank"], row["served"]) == (None, COUNT)


def test_an_address_lists_others_by_their_public_runs_alone(ctx: Context, url: str, vendor: Vendor) -> None:
    """A private and an embargoed order of the same endpoint add neither a line nor a number nor a time."""
    friend = Vendor(ctx, url, "friend")
    until = (now() + timedelta(days=30)).isoformat()
    high = {"reasoning_effort": "high"}
    with friend.client, ModelServer(solves) as server:
        endpoint = order(friend, server.url, "fay", visibility="private")
        friend.submit(endpoint, embargo_until=until, configuration=high)
        settle(ctx, endpoint, endpoint, order(vendor, server.url, "orion"))
        assert vendor.get("/addresses")["data"] == []
        friend.submit(endpoint)
        settle(ctx, endpoint)
        [line] = vendor.get("/addresses")["data"]
        with ctx.sessions() as session:
            run = session.scalars(select(Run).where(Run.endpoint_id == endpoint, Run.public)).one()
        assert (line["address"], line["organisation"]) == (server.url.removeprefix("http://").split("/")[0], "friend")
        assert (line["problems"], line["answered"]) == (COUNT, True)
        assert datetime.fromisoformat(line["first_sent_at"]) == run.sent_at
        assert [each["organisation"] for each in friend.get("/addresses")["data"]] == ["acme"]


def test_what_its_own_endpoint_refused_after_an_answer_it_was_sent(ctx: Context, url: str, vendor: Vendor) -> None:
    """It answers one prompt and reads the others: all of them were served."""

    def first_only(asked: Asked) -> Say:
        return solves(asked) if asked.number == 0 else model_server.error(401, "no key")

    with ModelServer(first_only) as reader, ModelServer(solves) as server:
        vendor.model("first")
        endpoint = vendor.endpoint(reader.url, "first", max_concurrency=1)
        placed = vendor.submit(endpoint, visibility="private")
        ask(endpoint)
        show()
        assert len(reader.asked) == COUNT
        assert vendor.post(f"/submissions/{placed}/cancel").status_code == 200
        settle(ctx, order(vendor, server.url, "orion"))
    row = rows_of(url)["orion"]
    assert (row["rank"], row["served"]) == (None, COUNT)
