"""How a run goes, over HTTP: once, or as events that end with it; who may see it, and how many may listen."""

import asyncio
import json
import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from pipeline.flow import answer_all, judge_one, standing
from served import NO_AUTHORITIES, served
from sqlalchemy import select, text, update
from support.batches import batch, problem
from support.vendors import Vendor, publish
from support.waiting import until

from app.api.events import EventHub, RunUpdate
from app.db.tables import Run, Sample
from app.main import create_app
from app.services.runs import imports
from workers import tasks
from workers.context import Context, now

TIME_S = 60.0


@pytest.fixture
def app(ctx: Context) -> FastAPI:
    return create_app(ctx.settings)


@pytest.fixture
def url(app: FastAPI) -> Iterator[str]:
    with served(app) as address:
        yield f"{address}"


@pytest.fixture
def run(ctx: Context) -> int:
    """A public run with two samples to ask."""
    ctx.commit(imports.store_batch, batch(problem(0), problem(1)), now())
    ctx.commit(standing, "tern")
    with ctx.sessions() as session:
        return session.scalars(select(Run.id)).one()


def get(url: str, path: str, **headers: str) -> httpx.Response:
    return httpx.get(f"{url}/api/v1/runs/{path}", headers=headers, timeout=TIME_S, verify=NO_AUTHORITIES)


@contextmanager
def listening(url: str, run: int, **headers: str) -> Iterator[httpx.Response]:
    address = f"{url}/api/v1/runs/{run}/events"
    with (
        httpx.Client(timeout=TIME_S, verify=NO_AUTHORITIES) as client,
        client.stream("GET", address, headers=headers) as response,
    ):
        yield response


def told(response: httpx.Response) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


def finish(ctx: Context) -> None:
    ctx.commit(answer_all)
    while ctx.commit(judge_one):
        pass


def test_events_tell_how_a_run_goes_and_end_with_it(ctx: Context, url: str, run: int) -> None:
    with listening(url, run) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        events = told(response)
        name, first = next(events)
        assert (name, first["run"], first["model"], first["state"]) == ("progress", run, "tern", "active")
        assert (first["total"], first["waiting"], first["over"], first["eta_s"]) == (2, 2, False, None)
        finish(ctx)
        *_, (name, last) = events
        assert (name, last["waiting"], last["judged"], last["over"], last["eta_s"]) == ("end", 0, 2, True, 0)
    again = get(url, str(run)).json()
    assert (again["judged"], again["over"], again["model"]) == (2, True, "tern")


def test_a_run_that_is_over_has_one_event(ctx: Context, url: str, run: int) -> None:
    with ctx.sessions.begin() as session:
        session.execute(update(Run).values(state="paused", state_reason="by hand"))
    with listening(url, run) as response:
        assert [(name, body["state_reason"]) for name, body in told(response)] == [("end", "by hand")]


def test_what_most_unanswered_samples_met_is_told_with_its_owner_and_words(ctx: Context, url: str, run: int) -> None:
    assert get(url, str(run)).json()["failure"] is None
    with ctx.sessions.begin() as session:
        session.execute(update(Sample).values(error="answered 503: model is loading", error_owner="vendor"))
    met = {"reason": "answered 503: model is loading", "owner": "vendor", "samples": 2}
    assert get(url, str(run)).json()["failure"] == met
    with listening(url, run) as response:
        assert next(told(response))[1]["failure"] == met
    finish(ctx)
    assert get(url, str(run)).json()["failure"] is None


def test_a_run_that_its_budget_paused_is_not_over(ctx: Context, url: str, run: int) -> None:
    with ctx.sessions.begin() as session:
        session.execute(update(Run).values(state="paused", state_reason="its budget is used up", needs_usd=1))
    with listening(url, run) as response:
        name, body = next(told(response))
        assert (name, body["state_reason"], body["over"]) == ("progress", "its budget is used up", False)


def test_only_its_organisation_sees_a_run_that_is_not_public(ctx: Context, url: str) -> None:
    publish(ctx)
    mine, other, blind = (
        Vendor(ctx, url), Vendor(ctx, url, "other"), Vendor(ctx, url, "acme", "models:write"),
    )  # fmt: skip
    with ExitStack() as stack:
        for vendor in (mine, other, blind):
            stack.enter_context(vendor.client)
        mine.model()
        mine.submit(mine.endpoint("https://127.0.0.1:9/v1"))
        tasks.sweep()
        with ctx.sessions() as session:
            run = session.scalars(select(Run.id)).one()
        for path in (str(run), f"{run}/events"):
            assert get(url, path).status_code == 404
            assert get(url, path, authorization=f"Bearer {other.key}").status_code == 404
            assert get(url, path, authorization=f"Bearer {blind.key}").status_code == 403
            assert get(url, path, authorization="Bearer nonsense").status_code == 401
        assert get(url, str(run), authorization=f"Bearer {mine.key}").json()["run"] == run
        with listening(url, run, authorization=f"Bearer {mine.key}") as response:
            assert next(told(response))[1]["run"] == run
    for path in ("0", "99999", "99999/events", str(2**70)):
        assert get(url, path).status_code == 404
    assert get(url, "tern").status_code == 422


def test_listeners_are_bounded_and_hold_neither_threads_nor_connections(
    ctx: Context, app: FastAPI, url: str, run: int
) -> None:
    hub: EventHub = app.state.runs

    def connections() -> int:
        with ctx.sessions() as session:
            query = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
            return int(session.scalars(query).one())

    with ExitStack() as stack:
        streams = list[Iterator[tuple[str, Any]]]()  # one that is let go is closed

        def listen() -> None:
            streams.append(told(stack.enter_context(listening(url, run))))

        listen()
        next(streams[0])
        threads, held = threading.active_count(), connections()
        for _ in range(31):
            listen()
        for stream in streams[1:]:
            next(stream)
        assert hub.listeners == 32
        assert threading.active_count() <= threads + 2
        assert connections() <= held + 2
        full = get(url, f"{run}/events")
        assert (full.status_code, full.headers["retry-after"]) == (503, "30")
        assert full.json()["status"] == 503
        assert get(url, str(run)).status_code == 200
    until(lambda: hub.listeners == 0, "every place given back")
    with listening(url, run) as response:
        next(told(response))


def test_a_place_is_for_a_while_and_a_silent_stream_shows_that_it_lives() -> None:
    shown = {1: RunUpdate({"n": 1}, "v1", is_last=False)}

    def read(about: Collection[int]) -> Mapping[int, RunUpdate]:
        return {one: shown[one] for one in about if one in shown}

    async def listen(hub: EventHub, about: int, *, known: bool) -> list[str]:
        listener = hub.enter(about, known=known)
        assert listener is not None
        found = [said async for said in hub.events(listener)]
        hub.leave(listener)
        return found

    hub = EventHub(read, every_s=30.0, alive_s=0.05, longest_s=0.3)
    first, second, *rest = asyncio.run(listen(hub, 1, known=True))
    assert (first, second) == ("retry: 5000\n\n", 'id: v1\nevent: progress\ndata: {"n": 1}\n\n')
    assert set(rest) == {": still here\n\n"}
    brief = EventHub(read, every_s=30.0, alive_s=600.0, longest_s=0.1)
    assert len(asyncio.run(asyncio.wait_for(listen(brief, 1, known=True), TIME_S))) == 3
    shown[1] = RunUpdate({"n": 1}, "v1", is_last=False, is_public=False)
    assert asyncio.run(listen(EventHub(read), 1, known=False)) == ["retry: 5000\n\n"], "it is not public any more"
    assert asyncio.run(listen(EventHub(read), 2, known=True)) == ["retry: 5000\n\n"], "it is not there any more"


def test_who_comes_back_is_told_of_what_has_changed_and_not_of_new_estimates() -> None:
    shown = iter([RunUpdate({"eta": eta}, version, is_last=version == "v3")
                  for eta, version in ((9, "v1"), (8, "v1"), (7, "v2"), (6, "v2"), (5, "v3"))])  # fmt: skip

    async def listen(seen: str | None) -> list[str]:
        hub = EventHub(lambda about: {1: next(shown)}, every_s=0.01)
        listener = hub.enter(1, known=True, seen=seen)
        assert listener is not None
        return [said.partition("\n")[0] for said in [each async for each in hub.events(listener)][1:]]

    assert asyncio.run(listen("v1")) == ["id: v2", "id: v3"]


def test_a_part_of_the_places_is_kept_for_those_with_a_key() -> None:
    async def enter(*known: bool) -> list[bool]:
        hub = EventHub(lambda _: {}, most=4)
        return [hub.enter(1, known=each) is not None for each in known]

    assert asyncio.run(enter(False, False, False, True, True, True)) == [True, True, False, True, True, False]


def test_nobody_takes_the_places_of_the_others() -> None:
    async def enter(known: bool, *callers: str | None) -> list[bool]:
        hub = EventHub(lambda _: {}, most=16)
        hub.enter(1, known=not known, who="8.8.8.8")
        return [hub.enter(1, known=known, who=each) is not None for each in callers]

    visitors = ("8.8.8.8", "8.8.8.8", "8.8.8.8", "8.8.4.4", *[None] * 6)
    assert asyncio.run(enter(False, *visitors)) == [True, True, False, *[True] * 6, False]
    assert asyncio.run(enter(True, *"1" * 5, "2")) == [True] * 4 + [False, True]


def test_a_look_that_fails_is_followed_by_another() -> None:
    looks: Iterator[OSError | Mapping[int, RunUpdate]] = iter(
        [OSError("the database is down"), {1: RunUpdate({"n": 1}, "v1", is_last=True)}]
    )

    def read(_: Collection[int]) -> Mapping[int, RunUpdate]:
        found = next(looks)
        if isinstance(found, OSError):
            raise found
        return found

    async def listen() -> list[str]:
        hub = EventHub(read, every_s=0.01)
        listener = hub.enter(1, known=True)
        assert listener is not None
        return [said async for said in hub.events(listener)]

    assert asyncio.run(asyncio.wait_for(listen(), TIME_S))[1:] == ['id: v1\nevent: end\ndata: {"n": 1}\n\n']
