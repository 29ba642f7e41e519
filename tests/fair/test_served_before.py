"""Who has been sent the problems gains no rank by ordering again, under whatever name and at whatever address."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from factories import World
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import judge_one
from served import NO_AUTHORITIES
from support.batches import SUM
from support.vendors import Vendor, publish

from app.db.tables import Run
from app.domain.judging.verdicts import Verdict
from app.services.runs.control import start
from app.services.runs.control.endpoints import NewEndpoint
from app.services.runs.control.start import Order
from app.services.runs.secrets import Vault
from workers import tasks
from workers.context import Context, now
from workers.inference.backends import check_run

COUNT = 3


def right(_: Asked) -> Say:
    return model_server.message(f"```python\n{SUM}```")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(right) as made:
        yield made


def order(vendor: Vendor, url: str, model: str, **fields: Any) -> int:
    """An order for a model of its own, placed now; returns its endpoint."""
    vendor.model(model)
    endpoint = vendor.endpoint(url, model)
    vendor.submit(endpoint, **fields)
    return endpoint


def settle(ctx: Context, *asked: int, verdict: Verdict = Verdict.ACCEPTED) -> None:
    """Ask these endpoints, judge every answer alike and publish what is done."""
    tasks.sweep()
    tasks.plan_runs()
    for endpoint in asked:
        tasks.infer_slice(endpoint)
    while ctx.commit(judge_one, verdict, now()):
        pass
    for _twice in range(2):
        tasks.sweep()
    tasks.aggregate()


def board(url: str, **params: str) -> dict[str, Any]:
    """The rows of the board by model."""
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        answer = client.get("/api/v1/boards/codegen", params={"protocol": "fresh", **params})
        assert answer.status_code == 200, answer.text
        return {row["model"]: row for row in answer.json()["rows"]}


def test_a_vendor_that_was_sent_the_problems_has_no_rank_when_it_orders_again(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    publish(ctx, COUNT)
    settle(ctx, order(vendor, server.url, "orion"), verdict=Verdict.WRONG_ANSWER)
    settle(ctx, order(vendor, server.url.replace("127.0.0.1", "localhost"), "lyra"))
    rows = board(url)
    assert (rows["orion"]["score"], rows["orion"]["rank"], rows["orion"]["served"]) == (0.0, 1, 0)
    assert (rows["lyra"]["score"], rows["lyra"]["rank"]) == (100.0, None)
    assert (rows["lyra"]["served"], rows["lyra"]["exposed"], rows["lyra"]["started_by"]) == (COUNT, COUNT, "vendor")
    assert board(url, exposure="split")["lyra"]["score"] is None, "nothing clean is left"
    assert board(url, exposure="hide").keys() == {"orion"}
    assert [board(url, rules="lcb")[name]["rank"] for name in ("lyra", "orion")] == [1, 2]
    with httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES) as client:
        page = client.get("/en/?protocol=fresh").text
        assert f"served {COUNT} before" in page
        ledger = client.get("/api/v1/exposures").json()["exposures"]
    assert len(ledger) == 2 * COUNT, "every sending is kept"


def test_runs_that_were_registered_before_the_first_sending_do_not_expose_each_other(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    publish(ctx, COUNT)
    one = order(vendor, server.url, "orion")
    other = order(vendor, server.url, "lyra")
    vendor.submit(other, configuration={"reasoning_effort": "high"})
    settle(ctx, one, other, other)
    rows = board(url)
    assert {name: (row["rank"], row["served"]) for name, row in rows.items()} == {"orion": (1, 0), "lyra": (1, 0)}


def test_the_address_tells_who_it_is_under_another_name(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    publish(ctx, COUNT)
    settle(ctx, order(vendor, server.url, "orion"), verdict=Verdict.WRONG_ANSWER)
    other = Vendor(ctx, url, "zenith")
    with other.client, ModelServer(right) as elsewhere:
        settle(ctx, order(other, server.url.replace("http://", "HTTP://") + "/v2/", "nadir"))
        settle(ctx, order(other, elsewhere.url, "halo"))
    rows = board(url)
    assert {name: (row["rank"], row["served"]) for name, row in rows.items()} == {
        "orion": (1, 0),
        "nadir": (None, COUNT),
        "halo": (None, COUNT),  # of the same organisation by now
    }


def test_what_maintainers_begin_is_marked_and_keeps_its_rank(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    publish(ctx, COUNT)
    settle(ctx, order(vendor, server.url, "orion"), verdict=Verdict.WRONG_ANSWER)
    with ctx.sessions.begin() as session:
        World(session).model("lyra", organisation_name=" ACME ")
        endpoint = NewEndpoint("lyra", "openai_chat", "lyra", server.url)
        wanted = Order("lyra", "fresh", "to see", endpoint)
        started = start.start(session, wanted, now(), Vault(None), check_run).run
        asked = session.get_one(Run, started).endpoint_id
    assert asked is not None
    settle(ctx, asked)
    row = board(url)["lyra"]
    assert (row["run"], row["rank"], row["served"], row["exposed"]) == (started, 1, COUNT, 0)
    assert row["started_by"] == "maintainers"
    assert board(url, started_by="vendor").keys() == {"orion"}
    assert board(url, started_by="maintainers").keys() == {"lyra"}
