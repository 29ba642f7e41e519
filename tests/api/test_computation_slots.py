"""Readers who ask for more boards than can be made: health and the cheap pages are there for the others."""

import asyncio
from pathlib import Path

import httpx
import pytest
from anyio.to_thread import current_default_thread_limiter
from factories import web_app
from fastapi import FastAPI

from app.computation_slots import ComputationSlots
from app.db.kernel.session import SessionMaker
from app.domain.errors import Unavailable

DEAR = {
    "/", "/en", "/en/", "/en/boards/X", "/en/compare", "/en/models/X", "/en/problems/X/Y",
    "/en/sampling", "/sitemap.xml",
    "/api/v1/boards", "/api/v1/boards/X", "/api/v1/boards/X.csv", "/api/v1/boards/X.parquet", "/api/v1/boards/X.zip",
    "/api/v1/boards/X/compare", "/api/v1/boards/X/composites",
    "/api/v1/boards/X/elo", "/api/v1/boards/X/matrix", "/api/v1/boards/X/sampling",
    "/api/v1/boards/X/sizes", "/api/v1/boards/X/solve-rates", "/api/v1/boards/X/topics", "/api/v1/holistic",
    "/api/v1/human-ratings", "/api/v1/models/X", "/api/v1/problems/X/Y",
}  # fmt: skip
CHEAP = ("/en/changes", "/en/login?token=x", "/api/v1/ledger", "/api/v1/snapshots", "/healthz")


@pytest.fixture
def app(sessions: SessionMaker, tmp_path: Path) -> FastAPI:
    return web_app(sessions, tmp_path)


def asking(app: FastAPI) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://site")


def test_health_needs_no_thread(app: FastAPI) -> None:
    async def ask() -> httpx.Response:
        threads = current_default_thread_limiter()
        threads.total_tokens = 1
        async with threads, asking(app) as client, asyncio.timeout(10):
            return await client.get("/healthz")

    assert asyncio.run(ask()).json() == {"status": "up"}


def test_what_takes_long_is_refused_where_all_places_are_taken_and_all_else_is_answered(app: FastAPI) -> None:
    app.state.computation_slots = ComputationSlots(0, wait_s=0.0)

    async def ask() -> dict[str, httpx.Response]:
        async with asking(app) as client:
            return {path: await client.get(path) for path in (*DEAR, *CHEAP)}

    answers = asyncio.run(ask())
    assert {answers[path].status_code for path in CHEAP} == {200}
    assert {(answers[path].status_code, answers[path].headers["retry-after"]) for path in DEAR} == {(503, "10")}
    assert "too many boards are being computed" in answers["/api/v1/boards/X"].json()["detail"]


def test_a_place_is_given_back_whatever_becomes_of_the_answer() -> None:
    async def take() -> None:
        slots = ComputationSlots(1, wait_s=0.01)
        with pytest.raises(ZeroDivisionError):
            async with slots.hold():
                raise ZeroDivisionError
        async with slots.hold():
            with pytest.raises(Unavailable):
                async with slots.hold():
                    pass
        async with slots.hold():
            pass

    asyncio.run(take())
