"""Orders paused, resumed and asked again by their vendor, and dry runs that place nothing."""

from datetime import timedelta

import pytest
from fakes import model_server
from fakes.model_server import ModelServer
from sqlalchemy import select, update
from support.batches import START
from support.vendors import Vendor, infer, judge, move_on, right

from app.db.runs import due_work
from app.db.tables import Endpoint, Run, Sample, Source, Submission
from app.domain.reasons import text_reason
from workers.context import Context, now

pytestmark = pytest.mark.usefixtures("published")

WINDOW = {"from": START.date().isoformat(), "to": (START.date() + timedelta(days=30)).isoformat()}


def test_a_paused_order_asks_nothing_until_it_is_resumed(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        move_on()
        paused = vendor.post(f"/submissions/{order}/pause")
        assert (paused.status_code, paused.json()["state"], paused.json()["owner"]) == (200, "paused", "vendor")
        assert paused.json()["state_reason"] == "its vendor paused it"
        assert "/resume" in paused.json()["next_step"]
        until = paused.json()["deadline"]
        assert vendor.post(f"/submissions/{order}/pause").status_code == 409
        move_on()
        infer(ctx, endpoint)
        assert server.asked == []
        assert vendor.post(f"/submissions/{order}/resume").json()["state"] == "queued"
        assert vendor.post(f"/submissions/{order}/resume").status_code == 409
        assert vendor.post(f"/submissions/{order}/pause").json()["deadline"] == until, "one span for all its pauses"
        with ctx.sessions.begin() as session:
            session.scalars(select(Submission)).one().pause_until = now() - timedelta(seconds=1)
        for _ in range(2):
            move_on()  # the pause ends by itself
        infer(ctx, endpoint)
        assert len(server.asked) == 3
        assert vendor.post(f"/submissions/{order}/pause").status_code == 409, "its days of pause are over"
    judge(ctx)
    for _ in range(2):
        move_on()
    assert vendor.state(order)["state"] == "published"


def test_an_order_paused_before_it_has_a_run_goes_on(vendor: Vendor) -> None:
    vendor.model()
    order = vendor.submit(vendor.endpoint("https://93.184.216.34/v1"))
    assert vendor.post(f"/submissions/{order}/pause").status_code == 200
    move_on()
    assert vendor.state(order)["state"] == "paused"
    vendor.post(f"/submissions/{order}/resume")
    move_on()
    assert vendor.state(order)["state"] == "generating"


def test_a_budget_pause_is_not_resumed_by_hand(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url, price_input=10, price_output=10)
        order = vendor.submit(endpoint, budget_usd=0)
        move_on()
        infer(ctx, endpoint)
        move_on()
        assert vendor.state(order)["state"] == "paused"
        refused = vendor.post(f"/submissions/{order}/resume")
    assert refused.status_code == 409
    assert "budget is used up" in refused.json()["detail"]


def test_failed_samples_are_asked_again_at_once(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(model_server.error(500, "on fire")) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        assert vendor.post(f"/submissions/{order}/retry-failed").status_code == 409, "nothing failed"
        move_on()
        infer(ctx, endpoint)
        failing = len(server.asked)
        assert failing
        with ctx.sessions.begin() as session:
            for sample in session.scalars(select(Sample)):
                sample.not_before = now() + timedelta(hours=1)
        server.script = right
        infer(ctx, endpoint)
        assert len(server.asked) == failing, "they wait"
        answer = vendor.post(f"/submissions/{order}/retry-failed")
        assert answer.status_code == 200, answer.text
    with ctx.sessions() as session:
        [due] = due_work.due_endpoints(session, now())
        assert due.id == endpoint, "it rests no longer, and its samples are due"
        assert set(session.scalars(select(Sample.not_before))) == {None}
        assert set(session.scalars(select(Sample.inference_attempts))) == {1}, "attempts are not given back"


def test_one_call_ends_a_stall_on_a_stopped_endpoint(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    order = vendor.submit(endpoint)
    move_on()
    with ctx.sessions.begin() as session:
        row = session.get_one(Endpoint, endpoint)
        row.stopped_at, row.stopped_reason = now(), text_reason("the key was refused")
    move_on()
    assert vendor.state(order)["state"] == "stalled"
    assert vendor.post(f"/submissions/{order}/retry-failed").json()["state"] == "queued"
    move_on()
    assert vendor.state(order)["state"] == "generating"


def test_a_dry_run_says_what_an_order_would_do_and_places_nothing(ctx: Context, vendor: Vendor) -> None:
    usage = {"prompt_tokens": 1000, "completion_tokens": 9000}
    with ModelServer(model_server.message("x", usage=usage)) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url, price_input=10, price_output=10, max_concurrency=2)
        body = {"endpoint": endpoint, "window": WINDOW}
        dry = vendor.post("/submissions?dry_run=true", body)
        assert dry.status_code == 200, dry.text
        said = dry.json()
        assert (said["problems"], said["samples"], said["model"]) == (3, 3, "orion")
        assert said["cost"] == {"usd": None, "tokens_input": None, "tokens_output": None, "like_answers": 0}
        assert said["duration"]["hours"] is None
        assert said["rank"]["ranked"] is True
        assert vendor.get("/submissions")["data"] == []
        vendor.submit(endpoint)
        move_on()
        infer(ctx, endpoint)
        said = vendor.post("/submissions?dry_run=true", body).json()
    assert said["cost"]["usd"] == pytest.approx(0.3)
    assert (said["duration"]["measured_answers"], said["duration"]["at_once"]) == (3, 2)
    assert said["duration"]["hours"] is not None
    assert said["rank"]["ranked"] is False
    assert "the first trial stands" in " ".join(said["rank"]["because"])
    assert "sent to endpoints of yours before" in " ".join(said["rank"]["because"])
    private = vendor.post("/submissions?dry_run=true", body | {"visibility": "private"}).json()
    assert "private" in private["rank"]["because"][0]
    with ctx.sessions() as session:
        assert len(session.scalars(select(Run.id)).all()) == 1


def test_a_dry_run_names_problems_before_the_cutoff(vendor: Vendor) -> None:
    vendor.post("/models", {"slug": "vega", "name": "Vega"})  # its cutoff is the day of its registration
    endpoint = vendor.endpoint("https://93.184.216.34/v1", "vega")
    said = vendor.post("/submissions?dry_run=true", {"endpoint": endpoint, "window": WINDOW}).json()
    assert said["rank"]["ranked"] is False
    assert said["rank"]["because"][0].startswith("3 of 3 problems came out until the model's cutoff")


def test_what_may_never_run_is_said_at_once_and_what_never_can_is_refused(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("https://93.184.216.34/v1")
    empty = {"from": "2001-01-01", "to": "2001-02-01"}
    waits = vendor.post("/submissions", {"endpoint": endpoint, "window": empty}).json()
    assert waits["warnings"] == ["No problem of this window is published yet: the order waits for problems."]
    with ctx.sessions.begin() as session:
        session.execute(update(Source).values(enabled=False))  # no visit is to come
    placed = vendor.post("/submissions", {"endpoint": endpoint, "window": empty})
    assert placed.status_code == 201
    assert "will fail as empty" in placed.json()["warnings"][0]
    assert vendor.post("/submissions", {"endpoint": endpoint, "window": WINDOW}).json()["warnings"] == []
    with ctx.sessions.begin() as session:
        row = session.get_one(Endpoint, endpoint)
        row.stopped_at, row.stopped_reason = now(), text_reason("the key was refused")
    refused = vendor.post("/submissions", {"endpoint": endpoint, "window": WINDOW})
    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/endpoint")
    assert "the key was refused" in refused.json()["detail"]
    group = vendor.post("/submission-groups", {"endpoints": [endpoint], "window": WINDOW})
    assert group.json()["errors"][0]["pointer"] == "/endpoints/0"
