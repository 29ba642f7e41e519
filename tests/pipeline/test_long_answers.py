"""Answers that outlast a slice, and endpoints that mostly stall, on a clock of their own."""

import asyncio
from contextlib import AsyncExitStack
from itertools import pairwise

import pytest
from fakes import model_server
from fakes.model_server import USED, ModelServer, Say, Script, said, streamed
from pipeline.test_ten_vendors import register
from sqlalchemy import func, select, update
from support import virtual
from support.fleet import Fleet

from app.db.tables import Endpoint, Sample
from app.domain.states import SampleState
from workers.asking import SLICE_S
from workers.context import Context

ANSWER = "```python\nprint(1)\n```"
LONG_S = 1260.0
SAMPLES = 8


def long_answer(seconds: float) -> Say:
    """Streamed for so long, a piece every fifty seconds."""
    thought = [said(reasoning_content="hm, ")] * int(seconds / 50)
    return streamed(*thought, said(ANSWER), said(finish_reason="stop"), USED, "[DONE]", gap_s=50.0)


def test_answers_that_outlast_their_slice_are_asked_for_once(ctx: Context) -> None:
    assert LONG_S > 2 * SLICE_S
    server = ModelServer(long_answer(LONG_S))

    async def work() -> None:
        async with server.within():
            register(ctx, {"slow": [server]}, SAMPLES)
            with ctx.sessions.begin() as session:
                session.execute(update(Endpoint).values(timeout_s=None))
            await Fleet(ctx, over, sweep_s=120.0, look_s=30.0).work()

    async def over() -> bool:
        assert asyncio.get_running_loop().time() < 4 * LONG_S
        with ctx.sessions() as session:
            return session.scalar(select(func.count()).where(Sample.state != SampleState.ANSWERED)) == 0

    virtual.run(work())
    assert len(server.asked) == SAMPLES
    with ctx.sessions() as session:
        rows = session.execute(select(Sample.requests, Sample.inference_attempts, Sample.unanswered)).all()
    assert {tuple(row) for row in rows} == {(1, 1, False)}


SLOTS = 8  # threads of the workers
# Endpoints, each of a vendor of its own, after how many seconds each answers, and when the healthy one comes.
CASES = [
    (SLOTS, 1.0, 100.0),
    (SLOTS + 2, 200.0, 400.0),
    *(pytest.param(*case, 400.0, marks=pytest.mark.slow) for case in ((SLOTS, 1.0), (SLOTS + 2, 1.0), (SLOTS, 200.0))),
]


def mostly_stalls(takes_s: float) -> Script:
    """Answers one request in ten after so many seconds."""
    answer = model_server.message(ANSWER, delay_s=takes_s)
    return lambda asked: Say(stall=True) if asked.number % 10 else answer


@pytest.mark.parametrize(("many", "takes_s", "comes_s"), CASES)
def test_endpoints_that_answer_one_request_in_ten_keep_a_healthy_one_waiting_for_half_a_minute(
    ctx: Context, takes_s: float, many: int, comes_s: float
) -> None:
    healthy = ModelServer(model_server.message(ANSWER, delay_s=2.0))
    others = [ModelServer(mostly_stalls(takes_s)) for _ in range(many)]
    servers = {f"stalls{number}": [server] for number, server in enumerate(others)} | {"healthy": [healthy]}

    came = list[float]()

    async def step() -> bool:
        moment = asyncio.get_running_loop().time()
        assert moment < comes_s + 600.0, (came, healthy.times())
        if moment >= comes_s and not came:
            came.append(moment)
            with ctx.sessions.begin() as session:
                session.execute(update(Endpoint).where(Endpoint.base_url == healthy.url).values(stopped_at=None))
        return len(healthy.asked) >= 80

    async def work() -> None:
        async with AsyncExitStack() as stack:
            for server in (*others, healthy):
                await stack.enter_async_context(server.within())
            register(ctx, servers, 80)
            with ctx.sessions.begin() as session:
                session.execute(update(Endpoint).values(timeout_s=None, max_concurrency=32))
                session.execute(
                    update(Endpoint).where(Endpoint.base_url == healthy.url).values(stopped_at=virtual.now())
                )
            await Fleet(ctx, step, SLOTS).work()

    virtual.run(work())
    moments = [*came, *healthy.times()]
    assert max(after - before for before, after in pairwise(moments)) <= 30.0
