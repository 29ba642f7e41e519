"""Probes of endpoints over the API, and orders that wait for one before their first prompt."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from sqlalchemy import func, select
from support.vendors import SECRET, Vendor, infer, judge, move_on, right

from app.db.tables import Endpoint, EndpointProbe, ExposureRow, Run, Sample
from app.domain.errors import Conflict
from app.domain.reasons import text_reason
from app.services.runs.control import run_control
from app.services.vendors.submission_steps import advance_submissions
from workers import tasks
from workers.context import Context, now

pytestmark = pytest.mark.usefixtures("published")


@contextmanager
def worker() -> Iterator[None]:
    """A worker that makes the probes that are asked for meanwhile."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.05):
            tasks.probe_endpoints()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def sent(ctx: Context) -> tuple[int, int]:
    """The number of runs that were sent a prompt, and of exposures."""
    with ctx.sessions() as session:
        runs = session.scalar(select(func.count()).select_from(Run).where(Run.sent_at.is_not(None)))
        return runs or 0, session.scalar(select(func.count()).select_from(ExposureRow)) or 0


def test_a_probe_is_made_while_its_request_waits_and_read_afterwards(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server, worker():
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        assert vendor.client.get(f"/endpoints/{endpoint}/probe").status_code == 404
        answer = vendor.post(f"/endpoints/{endpoint}/probe", {"protocol": "fresh"}, key="one")
        assert answer.status_code == 200, answer.text
        probe = answer.json()
        assert (probe["state"], probe["result"], probe["requests"], probe["origin"]) == (
            "finished", "passed", 2, "request",
        )  # fmt: skip
        assert {check["check"] for check in probe["checks"]} >= {"address", "tls", "key", "model", "answer", "usage"}
        assert vendor.get(f"/endpoints/{endpoint}/probe") == probe
        again = vendor.post(f"/endpoints/{endpoint}/probe", {"protocol": "fresh"}, key="one")
        assert (again.status_code, again.json()) == (200, probe)
        assert len(server.asked) == 2
        other = vendor.post(f"/endpoints/{endpoint}/probe", {"protocol": "house"}, key="one")
        assert (other.status_code, other.json()["errors"][0]["pointer"]) == (422, "/Idempotency-Key")
        assert SECRET not in answer.text
    assert sent(ctx) == (0, 0)


def test_one_probe_of_an_endpoint_is_made_at_a_time(vendor: Vendor) -> None:
    with ModelServer(model_server.error(404, "no page")) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        waiting = vendor.post(f"/endpoints/{endpoint}/probe?wait_s=0", {}, key="one")
        assert (waiting.status_code, waiting.json()["state"], waiting.json()["checks"]) == (202, "waiting", [])
        assert vendor.post(f"/endpoints/{endpoint}/probe?wait_s=0", {}, key="two").status_code == 409
        tasks.probe_endpoints()
        probe = vendor.post(f"/endpoints/{endpoint}/probe?wait_s=0", {}, key="one").json()
        assert (probe["result"], probe["requests"], len(server.asked)) == ("failed", 1, 1)
        [failed] = [check for check in probe["checks"] if check["status"] == "failed"]
        assert failed["check"] == "address"
        assert failed["fix"] == (f"base_url must end before /chat/completions; we called {server.url}/chat/completions")
        assert vendor.post(f"/endpoints/{endpoint}/probe?wait_s=0", {}, key="two").status_code == 202


def test_equal_requests_at_once_make_one_probe(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server, worker(), ThreadPoolExecutor(12) as pool:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        answers = list(pool.map(lambda _: vendor.post(f"/endpoints/{endpoint}/probe", {}, key="one"), range(12)))
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.text for answer in answers}) == 1
        assert len(server.asked) == 2
    with ctx.sessions() as session:
        assert session.scalar(select(func.count()).select_from(EndpointProbe)) == 1


def test_only_the_owner_probes_and_reads_and_only_what_can_be_asked(ctx: Context, url: str, vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("http://127.0.0.1:9/v1")
    stranger = Vendor(ctx, url, "other")
    for path in (f"/endpoints/{endpoint}/probe", "/endpoints/77/probe"):
        assert stranger.post(f"{path}?wait_s=0", {}).status_code == 404
        assert stranger.client.get(path).status_code == 404
    for body, pointer in (
        ({"protocol": "nothing"}, "/protocol"), ({"protocol": "lcb"}, "/protocol"),
        ({"configuration": {"n": 3}}, "/configuration/n"), ({"more": 1}, "/more"),
    ):  # fmt: skip
        answer = vendor.post(f"/endpoints/{endpoint}/probe?wait_s=0", body)
        assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer), answer.text
    reader = Vendor(ctx, url, "acme", "submissions:read")
    assert reader.post(f"/endpoints/{endpoint}/probe?wait_s=0", {}).status_code == 403


def test_a_typo_costs_an_order_nothing_and_the_healed_endpoint_is_asked(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url, secret="wrong-key-0123456789")
        order = vendor.submit(endpoint, probed=False)
        move_on()
        waiting = vendor.state(order)
        assert (waiting["state"], waiting["owner"]) == ("preflight", "us")
        assert waiting["state_reason"] == "its endpoint is probed before the first prompt"
        tasks.probe_endpoints()
        move_on()
        failed = vendor.state(order)
        assert (failed["state"], failed["owner"]) == ("preflight", "vendor")
        assert "401" in failed["state_reason"]
        assert "register the endpoint again with a key that it accepts" in failed["state_reason"]
        assert failed["deadline"] is not None
        infer(ctx, endpoint)
        move_on()
        tasks.probe_endpoints()
        assert len(server.asked) == 1, "no prompt is sent, and no probe before its time"
        assert sent(ctx) == (0, 0)
        assert vendor.get(f"/endpoints/{endpoint}/probe")["next_at"] is not None
        vendor.endpoint(server.url)  # the right key
        move_on()
        tasks.probe_endpoints()
        move_on()
        assert vendor.state(order)["state"] == "generating", "at once, not at the next time"
        infer(ctx, endpoint)
    judge(ctx)
    move_on()
    move_on()
    assert vendor.state(order)["state"] == "published"
    assert sent(ctx) == (1, 3)
    with ctx.sessions() as session:
        assert session.scalars(select(Run.trial)).all() == [1]


def test_an_order_is_probed_again_by_itself_with_growing_waits(ctx: Context, vendor: Vendor) -> None:
    broken = True

    def script(asked: Asked) -> Say:
        return model_server.error(500, "boom") if broken else right(asked)

    with ModelServer(script) as server:
        vendor.model()
        order = vendor.submit(vendor.endpoint(server.url), probed=False)
        move_on()
        tasks.probe_endpoints()
        for minutes, requests in ((0.5, 1), (1.2, 2), (1.5, 2), (2.5, 3), (3.5, 3)):
            ctx.commit(advance_submissions, now() + timedelta(minutes=minutes))
            tasks.probe_endpoints()
            assert len(server.asked) == requests
        assert vendor.state(order)["owner"] == "vendor"
        broken = False
        ctx.commit(advance_submissions, now() + timedelta(minutes=9))
        tasks.probe_endpoints()
        move_on()
        assert vendor.state(order)["state"] == "generating"


def test_a_passed_probe_of_the_vendor_spares_its_orders_one(vendor: Vendor) -> None:
    with ModelServer(right) as server, worker():
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        assert vendor.post(f"/endpoints/{endpoint}/probe", {}).json()["result"] == "passed"
        first = vendor.submit(endpoint, probed=False)
        other = vendor.submit(endpoint, probed=False, configuration={"reasoning_effort": "high"})
        move_on()
        assert vendor.state(first)["state"] == "generating"
        assert vendor.state(other)["state"] == "preflight", "its requests hold another field"


def test_a_run_is_not_started_by_hand_before_its_preflight(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    vendor.submit(vendor.endpoint("http://127.0.0.1:9/v1"), probed=False)
    move_on()
    with ctx.sessions() as session:
        run = session.scalars(select(Run)).one()
        assert run.state == "paused"
    with pytest.raises(Conflict, match="preflight"):
        ctx.commit(run_control.resume, run.id, "on it goes", now())


def test_an_order_in_preflight_can_be_cancelled_and_fails_at_last(ctx: Context, vendor: Vendor) -> None:
    vendor.model()
    endpoint = vendor.endpoint("http://127.0.0.1:9/v1")
    orders = [vendor.submit(endpoint, probed=False) for _ in range(2)]
    move_on()
    tasks.probe_endpoints()
    move_on()
    assert vendor.post(f"/submissions/{orders[0]}/cancel").json()["state"] == "cancelled"
    ctx.commit(advance_submissions, now() + timedelta(days=15))
    failed: Any = vendor.state(orders[1])
    assert (failed["state"], failed["owner"]) == ("failed", "vendor")
    assert "start the server" in failed["state_reason"]
    assert sent(ctx) == (0, 0)


def test_a_stopped_endpoint_is_asked_again_once_it_passes_a_probe(ctx: Context, vendor: Vendor) -> None:
    with ModelServer(right) as server:
        vendor.model()
        endpoint = vendor.endpoint(server.url)
        order = vendor.submit(endpoint)
        move_on()
        with ctx.sessions.begin() as session:
            row = session.get_one(Endpoint, endpoint)
            row.stopped_at, row.stopped_reason = now(), text_reason("answered 402: no money")
        move_on()
        assert vendor.state(order)["state"] == "stalled"
        ctx.commit(advance_submissions, now() + timedelta(minutes=11))  # and asks for a probe
        probe = vendor.get(f"/endpoints/{endpoint}/probe")
        assert (probe["state"], probe["last_failure"]["reason"]) == ("waiting", "answered 402: no money")
        tasks.probe_endpoints()
        move_on()
        move_on()
        assert vendor.state(order)["state"] == "generating"
        infer(ctx, endpoint)
        with ctx.sessions() as session:
            assert session.scalar(select(func.count()).where(Sample.answered_at.is_not(None))) == 3
