"""The way of a vendor from an invitation to a rank and off the board again, by the client package alone.

Nobody edits a row: a maintainer invites, decides on the cutoff and answers the dispute, and workers do the rest.
"""

import json
import re
import threading
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import httpx
import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from served import NO_AUTHORITIES, served
from standardwebhooks.webhooks import Webhook as Verifier
from support.batches import START, SUM
from support.commands import tidemark
from support.console import Person
from support.orders import PassingClock, site_of
from support.vendors import Maintainer, Vendor, judge, publish, rows_of, settle, show, solves
from tidemark_client import ApiError, Client

from app.domain.judging.verdicts import Verdict
from app.services.runs import plan
from app.services.vendors.submission_steps import advance_submissions
from workers import tasks, upkeep
from workers.context import Context, now, use

SECRET = "sk-of-acme-0123456789"
DAYS = 3
CARD = "https://example.com/card"
WINDOW: Any = {"from": f"{START:%Y-%m-%d}", "to": f"{START + timedelta(days=30):%Y-%m-%d}"}


@pytest.fixture
def clock(ctx: Context) -> PassingClock:
    """The clock of the workers and, by the next fixture, of the site: behind by what passes in the test, since a
    library verifies messages by the true time."""
    made = PassingClock(-timedelta(days=DAYS))
    ctx.clock = made
    return made


@pytest.fixture
def url(ctx: Context, clock: PassingClock) -> Iterator[str]:
    app = site_of(ctx)
    app.state.web = replace(app.state.web, now=clock)
    with served(app) as address:
        yield address


@contextmanager
def workers_for_probes() -> Iterator[None]:
    """A worker that makes the probes that are asked for meanwhile."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(0.02):
            tasks.probe_endpoints()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def right(asked: Asked) -> Say:
    """A sound server under /v1, which answers with a program and streams if it is asked to."""
    if asked.path != "/v1/chat/completions":
        return model_server.error(404, f"no such page: {asked.path}")
    if asked.headers.get("authorization") != f"Bearer {SECRET}":
        return model_server.error(401, "wrong key")
    text = f"```python\n{SUM}```"
    if asked.json.get("stream"):
        return model_server.streamed(
            model_server.said(text), model_server.said(finish_reason="stop"), model_server.USED, "[DONE]"
        )
    return model_server.message(text)


def invited(ctx: Context, url: str, clock: Any) -> Person:
    """A person who followed the link that a maintainer's command prints."""
    said = tidemark(ctx.settings, "vendor", "invite", "acme", "eve@acme.example")
    assert said.exit_code == 0, said.output
    use(ctx)  # the command has a context of its own
    found = re.search(r"token=([\w-]+)", said.stdout)
    assert found is not None, said.stdout
    person = Person(httpx.Client(base_url=url, timeout=60, verify=NO_AUTHORITIES), clock, "acme", "eve@acme.example")
    assert person.join(found[1]).status_code == 200
    return person


def created_key(person: Person) -> str:
    """A key of all scopes, made on the console's page."""
    scopes = re.findall(r'name="scope" value="([^"]+)"', person.get("/keys").text)
    page = person.post("/keys", "create", name="ci", scope=scopes, days="30")
    found = re.search(r"tm_\w+_[\w-]+", page.text)
    assert found is not None, page.text
    return found[0]


def events(url: str, run: int, key: str, seen: str | None = None) -> Generator[tuple[str, str, Any]]:
    """The id, name and data of each event of a run's stream, begun after the event `seen`."""
    headers = {"Authorization": f"Bearer {key}"} | ({"Last-Event-ID": seen} if seen else {})
    with (
        httpx.Client(timeout=60, verify=NO_AUTHORITIES) as client,
        client.stream("GET", f"{url}/api/v1/runs/{run}/events", headers=headers) as response,
    ):
        told: dict[str, str] = {}
        for line in response.iter_lines():
            name, _, value = line.partition(": ")
            told[name] = value
            if name == "data":
                yield told["id"], told["event"], json.loads(value)


def infer(ctx: Context, endpoint: int) -> None:
    ctx.commit(plan.plan_samples, now())
    tasks.infer_slice(endpoint)


def test_from_an_invitation_to_a_rank_and_off_the_board(ctx: Context, url: str, clock: PassingClock) -> None:
    publish(ctx)
    maintainer = Maintainer(ctx, url, "ada@example.org")
    person = invited(ctx, url, clock)
    key = created_key(person)
    rival = Vendor(ctx, url, "zenith")
    connect = partial(Client, url, verify=NO_AUTHORITIES, timeout_s=120, retries=0)
    with (
        ModelServer(right) as server, ModelServer(Say(b"", 204)) as receiver, ModelServer(solves) as elsewhere,
        connect(key) as client, connect(rival.key) as stranger, connect() as reader,
        closing(rival.client), closing(person.client),
    ):  # fmt: skip
        # A rival is on the board already.
        rival.model("lyra")
        theirs = rival.endpoint(elsewhere.url, "lyra")
        rival.submit(theirs)
        settle(ctx, theirs, verdict=Verdict.WRONG_ANSWER)

        # The model, whose cutoff waits for a maintainer.
        cutoff: Any = {"date": "2020-01-01", "evidence_url": CARD}
        model = client.create_model({"slug": "orion", "name": "Orion", "cutoff": cutoff})
        assert model["waiting"] is not None
        webhook = client.create_webhook({"url": receiver.url})
        verifier = Verifier(client.get_webhook_secret(webhook["id"])["secret"])

        # An endpoint with a wrong path: the probe says which, and what to change.
        made = client.create_endpoint(
            {"model": "orion", "remote_name": "fake-model-1", "base_url": server.url[:-3], "secret": SECRET}
        )
        endpoint, opaque = made["id"], made["endpoint_id"]
        with workers_for_probes():
            probe = client.probe_endpoint(endpoint, {"protocol": "fresh"})
        [failed] = [check for check in probe["checks"] if check["status"] == "failed"]
        assert (probe["result"], failed["check"], probe["requests"]) == ("failed", "address", 1)
        assert failed["fix"] == (
            f"base_url must end before /chat/completions; we called {server.url[:-3]}/chat/completions"
        )
        with pytest.raises(ApiError) as unread:
            client.update_endpoint(opaque, {"base_url": server.url, "secret": SECRET})
        assert unread.value.status == 428
        before = client.get_endpoint(opaque)
        assert (before["answered"], before["has_secret"]) == (False, True)
        with pytest.raises(ApiError) as old:
            client.update_endpoint(opaque, {"base_url": server.url, "secret": SECRET}, if_match='"another"')
        assert old.value.status == 412
        assert client.update_endpoint(opaque, {"base_url": server.url, "secret": SECRET})["base_url"] == server.url
        with workers_for_probes():
            probe = client.probe_endpoint(endpoint, {"protocol": "fresh"})
        assert probe["result"] == "passed", probe
        prompts = len(server.asked)

        # A forecast, which places nothing; the order, under an embargo.
        embargo = clock.now + timedelta(days=DAYS - 1)
        order: Any = {"endpoint": endpoint, "window": WINDOW, "embargo_until": embargo.isoformat()}
        forecast = client.forecast(order)
        assert (forecast["samples"], forecast["rank"]["ranked"]) == (3, False)
        assert client.list_submissions()["data"] == []
        placed = client.create_submission(order, idempotency_key="build-1")
        number = placed["id"]
        assert client.create_submission(order, idempotency_key="build-1")["id"] == number
        assert (placed["state"], placed["owner"]) == ("queued", "us")
        ctx.commit(advance_submissions, now())
        state = client.get_submission(number)
        assert (state["state"], len(server.asked)) == ("generating", prompts), "the probe that passed spares another"

        # Live progress, taken up where the line broke.
        run = state["run"]
        assert run is not None
        stream = events(url, run, key)
        seen, name, told = next(stream)
        assert (name, told["judged"], told["public"]) == ("progress", 0, False)
        stream.close()
        with pytest.raises(ApiError) as hidden:
            reader.get_run(run)
        assert hidden.value.status == 404
        infer(ctx, endpoint)
        stream = events(url, run, key, seen)
        later, name, told = next(stream)
        assert (later != seen, told["waiting"], told["judging"]) == (True, 0, 3)
        judge(ctx)
        *_, (_, name, told) = stream
        assert (name, told["judged"]) == ("end", 3)
        show()

        # Until the embargo ends, its owner alone reads the row.
        state = client.get_submission(number)
        assert (state["state"], state["progress"] and state["progress"]["judged"]) == ("embargoed", 3)
        row = client.get_preview(number)["row"]
        assert row is not None
        assert row["score"] == 100.0
        assert {item["verdict"] for item in client.all(client.list_items, public_id=number)} == {"accepted"}
        for other in (stranger, reader):
            with pytest.raises(ApiError) as denied:
                other.get_preview(number)
            assert denied.value.status in {401, 404}
        assert set(rows_of(url)) == {"lyra"}

        # Publication; then the decision on the cutoff gives the rank.
        clock.pass_time(days=DAYS)
        show()
        assert client.wait(number, timeout_s=0)["state"] == "published"
        assert rows_of(url)["orion"]["rank"] is None, "its cutoff is the day of its registration"
        waiting = re.search(r'name="subject" value="(\d+)"', maintainer.page())
        assert waiting is not None
        assert maintainer.decide("cutoff.accept", waiting[1]).status_code == 200
        tasks.aggregate()
        assert client.get_own_model("orion")["cutoff"]["date"] == "2020-01-01"
        board = rows_of(url)
        assert {slug: (each["rank"], each["served"]) for slug, each in board.items()} == {
            "orion": (1, 0), "lyra": (2, 0),
        }  # fmt: skip
        assert trial_of(board["orion"]) == 1

        # What happened was told, and the independent library verifies it.
        upkeep.notify_vendors()
        messages = [verifier.verify(asked.body, dict(asked.headers)) for asked in receiver.asked]
        kinds = [message["type"] for message in messages]
        assert [kind for kind in kinds if kind.startswith("submission.")] == [
            f"submission.{state}"
            for state in ("queued", "preflight", "generating", "judging", "embargoed", "published")
        ]
        assert "cutoff.decided" in kinds
        assert SECRET not in json.dumps(messages)

        # A dispute and its public answer.
        [sample, *_] = [item["id"] for item in client.all(client.list_items, public_id=number)]
        dispute = client.open_dispute({"about": "verdict", "sample": sample, "text": "The second test is too strict."})
        waiting = re.search(r'name="subject" value="(\d+)"', maintainer.page("/en/ops/quarantine"))
        assert waiting is not None
        maintainer.decide("dispute.reject", waiting[1], "the statement says so")
        answered = client.get_dispute(dispute["id"])
        assert (answered["state"], answered["answer"]) == ("rejected", "the statement says so")
        [line] = [line for line in reader.list_changes()["data"] if line["kind"] == "model.dispute"]
        assert (line["subject"], line["reason"], line["after"]) == ("orion", answered["answer"], {"state": "rejected"})

        # Withdrawal with a tombstone; what was public stays where it was.
        gone = client.withdraw_model("orion", {"reason": "A newer model took its place."})
        tasks.aggregate()
        assert gone["withdrawn"] is not None
        assert gone["withdrawn"]["by"] == "acme"
        assert set(rows_of(url)) == {"lyra"}
        assert client.get_submission(number)["state"] == "withdrawn"
        assert reader.get_run(run)["judged"] == 3
        [line] = [line for line in reader.list_changes()["data"] if line["kind"] == "model.withdrawn"]
        assert (line["subject"], line["reason"]) == ("orion", "A newer model took its place.")


def trial_of(row: Any) -> int:
    return int(row["trials"])
