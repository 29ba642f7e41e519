"""Models and endpoints read back, changed by the state they were read in, deleted, and withdrawn with a tombstone."""

from typing import Any

import httpx
import pytest
from fakes.model_server import ModelServer
from sqlalchemy import select
from support.vendors import SECRET, Vendor, infer, judge, move_on, order, right, rows_of, settle

from app.db.tables import LedgerEntry, Run
from workers import tasks
from workers.context import Context

pytestmark = pytest.mark.usefixtures("published")

ADDRESS = "https://93.184.216.34/v1"


def change(vendor: Vendor, path: str, body: Any, tag: str | None = None) -> httpx.Response:
    """The answer to a change of what is read now, or of what has this tag."""
    tag = tag or vendor.client.get(path).headers["etag"]
    return vendor.client.patch(path, json=body, headers={"If-Match": tag})


def test_a_model_is_read_and_changed_by_the_state_it_was_read_in(ctx: Context, url: str, vendor: Vendor) -> None:
    vendor.model()
    first = vendor.client.get("/models/orion")
    assert first.json()["sent"] is False
    assert vendor.client.patch("/models/orion", json={"name": "Orion 2"}).status_code == 428
    renamed = change(vendor, "/models/orion", {"slug": "orion-2", "name": "Orion Two", "link": "https://a.test/x"})
    assert renamed.status_code == 200, renamed.text
    assert (renamed.json()["slug"], renamed.json()["name"]) == ("orion-2", "Orion Two")
    late = change(vendor, "/models/orion-2", {"name": "Orion Three"}, first.headers["etag"])
    assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    assert vendor.client.get("/models/orion").status_code == 404
    other = Vendor(ctx, url, "zenith")
    with other.client:
        assert other.client.get("/models/orion-2").status_code == 404
        assert other.client.patch("/models/orion-2", json={}, headers={"If-Match": "*"}).status_code == 404
        assert other.client.delete("/models/orion-2").status_code == 404
        assert other.post("/models/orion-2/withdraw", {"reason": "no"}).status_code == 404
        other.post("/models", {"slug": "lyra", "name": "Lyra"})
        assert change(other, "/models/lyra", {"slug": "orion-2"}).status_code == 409
        assert change(other, "/models/lyra", {"name": "0rion Two"}).status_code == 409


def test_models_and_endpoints_are_listed_in_pages(vendor: Vendor) -> None:
    for slug in ("orion", "lyra", "vega"):
        vendor.post("/models", {"slug": slug, "name": slug.title()})
    numbers = [vendor.endpoint(ADDRESS, slug) for slug in ("orion", "lyra")]
    first = vendor.client.get("/models?limit=2")
    assert [model["slug"] for model in first.json()["data"]] == ["vega", "lyra"]
    assert 'rel="next"' in first.headers["link"]
    second = vendor.get(f"/models?limit=2&cursor={first.json()['next_cursor']}")
    assert ([model["slug"] for model in second["data"]], second["next_cursor"]) == (["orion"], None)
    wrong = vendor.client.get(f"/endpoints?cursor={first.json()['next_cursor']}")
    assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/cursor")
    listed = vendor.get("/endpoints")["data"]
    assert [endpoint["id"] for endpoint in listed] == numbers[::-1]
    assert vendor.get("/endpoints?model=orion")["data"] == [listed[1]]
    assert vendor.get("/endpoints?stopped=true")["data"] == []
    assert vendor.get(f"/endpoints/{listed[0]['endpoint_id']}") == vendor.get(f"/endpoints/{numbers[1]}") == listed[0]
    for name in ("0", "99", "ep_x", f"ep_{'0' * 32}", "%00", "9" * 30):
        assert vendor.client.get(f"/endpoints/{name}").status_code == 404, name


def test_an_endpoint_changes_in_part_and_its_address_until_an_answer(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(ADDRESS, price_input=1, price_output=2)
        path = f"/endpoints/{endpoint}"
        assert vendor.client.patch(path, json={"max_concurrency": 3}).status_code == 428
        changed = change(vendor, path, {"max_concurrency": 3, "price_output": "2.5"})
        assert changed.status_code == 200, changed.text
        assert changed.headers["etag"] == vendor.client.get(path).headers["etag"]
        assert (changed.json()["max_concurrency"], changed.json()["prices"]) == (
            3, {"input": 1.0, "cached": None, "output": 2.5},
        )  # fmt: skip
        assert change(vendor, path, {"base_url": "https://10.0.0.1/v1"}).status_code in (403, 422)
        without = change(vendor, path, {"base_url": server.url})
        assert (without.status_code, without.json()["errors"][0]["pointer"]) == (422, "/secret")
        moved = change(vendor, path, {"base_url": server.url, "secret": SECRET})
        assert (moved.status_code, moved.json()["base_url"]) == (200, server.url)
        assert SECRET not in moved.text
        vendor.submit(endpoint)
        move_on()
        infer(ctx, endpoint)
        assert vendor.get(path)["answered"] is True
        assert change(vendor, path, {"base_url": ADDRESS, "secret": SECRET}).status_code == 409
        assert change(vendor, path, {"price_input": 3}).status_code == 200


def test_a_model_without_orders_is_deleted_and_its_slug_is_free(vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint(ADDRESS, price_input=1)
    assert vendor.client.delete("/models/orion").json() == {"object": "model", "slug": "orion", "deleted": True}
    assert vendor.client.get("/models/orion").status_code == 404
    assert vendor.client.get(f"/endpoints/{endpoint}").status_code == 404
    vendor.model()
    vendor.submit(vendor.endpoint(ADDRESS))
    assert vendor.client.delete("/models/orion").status_code == 409


def test_a_withdrawn_model_leaves_the_boards_with_a_public_tombstone(ctx: Context, url: str, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        endpoint = order(vendor, server.url, "orion")
        settle(ctx, endpoint)
        placed = vendor.get("/submissions")["data"][0]["id"]
        open_order = vendor.submit(endpoint, configuration={"reasoning_effort": "high"})
        assert "orion" in rows_of(url)
        assert change(vendor, "/models/orion", {"slug": "nova"}).status_code == 409
        answer = vendor.post("/models/orion/withdraw", {"reason": "It is no longer served."})
        assert answer.status_code == 200, answer.text
        assert answer.json()["withdrawn"]["reason"] == "It is no longer served."
        assert answer.json()["withdrawn"]["by"] == "acme"
        assert vendor.post("/models/orion/withdraw", {"reason": "twice"}).status_code == 409
        tasks.aggregate()
    assert rows_of(url) == {}
    assert vendor.state(placed)["state"] == "withdrawn"
    assert vendor.state(open_order)["state"] == "cancelled"
    body = {"endpoint": endpoint, "continuous": True}
    assert vendor.post("/submissions", body).status_code == 409
    with ctx.sessions() as session:
        lines = session.execute(select(LedgerEntry.kind, LedgerEntry.reason, LedgerEntry.after)).all()
        assert ("model.withdrawn", "It is no longer served.", {"by": "acme", "runs": 1}) in [tuple(x) for x in lines]
        assert "score.withdrawn" in {line.kind for line in lines}
        run = session.scalars(select(Run).order_by(Run.id)).first()
        assert run is not None
    with httpx.Client(base_url=url, timeout=60) as reader:
        assert reader.get(f"/api/v1/runs/{run.id}").status_code == 200, "its results stay where they were"
        public = reader.get("/api/v1/models/orion")
        assert public.json()["withdrawn"]["reason"] == "It is no longer served."
        assert "Withdrawn from the boards" in reader.get("/en/models/orion").text
    assert [model["slug"] for model in vendor.get("/models?withdrawn=true")["data"]] == ["orion"]
    assert vendor.get("/models?withdrawn=false")["data"] == []


def test_protocols_say_what_they_cover_and_cost(ctx: Context, vendor: Vendor) -> None:
    listed = {each["slug"]: each for each in vendor.get("/protocols")["data"]}
    assert (listed["fresh"]["problems"], listed["fresh"]["samples"], listed["fresh"]["ranked"]) == (3, 3, True)
    assert listed["livecodebench"]["samples"] == 30
    assert "lcb" not in listed
    assert listed["fresh"]["cost"]["usd"] is None
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        vendor.submit(endpoint)
        move_on()
        infer(ctx, endpoint)
        judge(ctx)
    priced = {each["slug"]: each for each in vendor.get("/protocols?price_input=1&price_output=2")["data"]}
    cost = priced["fresh"]["cost"]
    assert (cost["like_answers"] > 0) == (cost["usd"] is not None)
