"""Practice orders count nowhere: no board, no ledger line, no exposure, no trial, whatever their vendor tries."""

from datetime import date, timedelta
from typing import Any

import httpx
import pytest
from factories import World
from fakes.model_server import ModelServer
from served import NO_AUTHORITIES
from sqlalchemy import func, inspect, select
from support.vendors import Vendor, board, infer, judge, move_on, rows_of, settle

from app.db.boards import cells
from app.db.tables import ExposureRow, LedgerEntry, ProtocolRow, Run, Sample, Submission
from app.domain.asking.protocols import PRACTICE
from app.domain.errors import InvalidInput
from app.domain.scenarios import house_protocols
from app.services.runs.control import start
from app.services.runs.control.start import RunRequest
from app.services.vendors import practice
from workers import tasks
from workers.context import Context, now
from workers.inference.backends import check_run

pytestmark = pytest.mark.usefixtures("published")


@pytest.fixture(autouse=True)
def house(ctx: Context) -> None:
    """Two problems of the house league, which practice asks."""
    with ctx.sessions.begin() as session:
        world = World(session, now=now())
        for name in ("h1", "h2"):
            world.problem(name, day=date(2026, 6, 1))


def practise(vendor: Vendor, endpoint: int, **fields: Any) -> str:
    answer = vendor.post("/submissions", {"endpoint": endpoint, "protocol": "practice"} | fields)
    assert answer.status_code == 201, answer.text
    assert answer.json()["practice"] is True
    order = str(answer.json()["id"])
    move_on()
    tasks.probe_endpoints()
    move_on()
    infer(vendor.ctx, endpoint)
    judge(vendor.ctx)
    move_on()
    move_on()
    return order


def count(ctx: Context, *rows: Any) -> list[int]:
    with ctx.sessions() as session:
        return [session.scalar(select(func.count()).select_from(table)) or 0 for table in rows]


def test_a_practice_order_is_asked_judged_and_seen_by_its_owner_alone(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    vendor.model()
    endpoint = vendor.endpoint(server.url)
    before = count(ctx, LedgerEntry)
    orders = [practise(vendor, endpoint), practise(vendor, endpoint, visibility="public")]
    for order in orders:
        state = vendor.state(order)
        assert (state["state"], state["visibility"], state["practice"]) == ("published", "private", True)
        assert (state["progress"]["judged"], state["protocol"]) == (2, "practice")
    assert Vendor(ctx, url, "other").client.get(f"/submissions/{orders[0]}").status_code == 404
    tasks.aggregate()
    with ctx.sessions() as session:
        assert session.scalars(select(Run.public)).all() == [False, False]
        assert session.scalar(select(func.count()).where(Sample.answered_at.is_not(None))) == 4
    assert count(ctx, ExposureRow) == [0]
    assert count(ctx, LedgerEntry) == before
    run = vendor.state(orders[0])["run"]
    with httpx.Client(base_url=f"{url}/api/v1", timeout=60, verify=NO_AUTHORITIES) as public:
        assert public.get(f"/runs/{run}").status_code == 404
        for place in ("boards", "models/orion", "ledger", "exposures"):
            assert "practice" not in public.get(f"/{place}").text, place
        assert not public.get("/boards/codegen", params={"protocol": "practice"}).json().get("rows")


def test_practice_costs_no_rank_no_trial_and_no_count_of_private_runs(
    ctx: Context, url: str, vendor: Vendor, server: ModelServer
) -> None:
    vendor.model()
    endpoint = vendor.endpoint(server.url)
    for _ in range(2):
        practise(vendor, endpoint)
    vendor.submit(endpoint)
    settle(ctx, endpoint)
    row = rows_of(url)["orion"]
    assert row["rank"] is not None
    assert row["trials"] == 1
    assert [each["reason"] for each in board(url)["hidden"]] == []
    with ctx.sessions() as session:
        fresh = session.scalars(select(ProtocolRow.id).where(ProtocolRow.slug == "fresh")).one()
        assert cells.unpublished_variants(session, fresh) == {}


def test_a_practice_order_cannot_be_made_to_count(ctx: Context, vendor: Vendor, server: ModelServer) -> None:
    vendor.model()
    endpoint = vendor.endpoint(server.url)
    tomorrow = (now() + timedelta(days=1)).isoformat()
    for fields, pointer in (({"continuous": True}, "/continuous"), ({"embargo_until": tomorrow}, "/embargo_until")):
        answer = vendor.post("/submissions", {"endpoint": endpoint, "protocol": "practice"} | fields)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)
    order = practise(vendor, endpoint)
    with ctx.sessions.begin() as session:  # whatever may change the visibility one day
        row = session.scalars(select(Submission).where(Submission.public_id == order)).one()
        row.visibility, row.state = "public", "judging"
    move_on()
    move_on()
    with ctx.sessions() as session:
        assert session.scalars(select(Run.public)).all() == [False]
    asked = RunRequest("orion", "practice", "to see it on a board")
    with pytest.raises(InvalidInput, match="practice"):
        ctx.commit(start.start, asked, now(), ctx.vault, check_run, "operator")
    assert PRACTICE not in house_protocols(), "no bundled model is run under it"


def test_practice_has_a_daily_number(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    body = {"endpoint": vendor.endpoint("http://127.0.0.1:9/v1"), "protocol": "practice"}
    assert vendor.post("/submissions", body).status_code == 201
    with ctx.sessions.begin() as session:
        one = session.scalars(select(Submission)).one()
        names = [attr.key for attr in inspect(Submission).column_attrs if attr.key not in ("id", "public_id", "state")]
        copied = {name: getattr(one, name) for name in names} | {"state": "cancelled"}
        others = range(practice.MAX_DAILY_PRACTICE - 1)
        session.add_all(Submission(public_id=f"sub_{number}", **copied) for number in others)
    refused = vendor.post("/submissions", body)
    assert (refused.status_code, "within a day" in refused.json()["detail"]) == (409, True)
    with ctx.sessions.begin() as session:
        for row in session.scalars(select(Submission)):
            row.created_at -= timedelta(days=1, minutes=1)
    assert vendor.post("/submissions", body).status_code == 201
