"""Ten vendors on a clock of its own, three of them hostile: the others are served as if they were alone."""

import asyncio
import gzip
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say, Script
from pipeline.flow import offer
from sqlalchemy import func, select, update
from support import virtual
from support.batches import batch, problem
from support.fleet import Fleet

from app.db.tables import Endpoint, Model, Run, Sample
from app.domain.asking.protocols import HOUSE
from app.domain.states import RunState, SampleState
from app.services.runs import imports, plan
from workers.context import Context

HOUR_S = 3600.0
SAMPLES = 48  # of each honest endpoint
HOSTILE = 9  # endpoints of each hostile vendor: more than the workers have threads for
HEADERS = ("0", "-5", "0.0", "-1e9", "nan", "1e308", "past", "next year", "")
BOMB = gzip.compress(b"0" * (17 << 20), 9)


def honest(seed: int) -> Script:
    """Answers after two to six seconds, but for one request in fifty."""
    rng = random.Random(seed)

    def say(asked: Asked) -> Say:
        if rng.random() < 0.02:
            return model_server.error(500, "oops")
        return model_server.message("```python\nprint(1)\n```", delay_s=rng.uniform(2.0, 6.0))

    return say


def refused(header: str, status: int = 429) -> Say:
    """With this header, or a date that it stands for."""
    days = {"past": -400, "next year": 365}.get(header)
    date = None if days is None else format_datetime(virtual.now() + timedelta(days=days), usegmt=True)
    return replace(model_server.rate_limited(date or header), status=status)


def storm(seed: int) -> Script:
    """Refuses at once, with every kind of header."""
    rng = random.Random(seed)
    return lambda _asked: refused(rng.choice(HEADERS), rng.choice((429, 429, 500, 503)))


def bombs(asked: Asked) -> Say:
    """Bodies that are too deep, grow when they are unpacked, or have no end."""
    if asked.number % 16 == 4:
        return Say(BOMB, headers={"content-encoding": "gzip", "content-type": "application/json"})
    if asked.number % 16 == 8:
        return Say(b"x" * 1_000_000, endless=True)
    return Say(b"[" * 100_000, headers={"content-type": "application/json"})


Servers = Mapping[str, Sequence[ModelServer]]  # by vendor


def register(ctx: Context, servers: Servers, samples: int, timeout_s: float = 300.0) -> None:
    """A model for each of these endpoints, which is asked for so many samples over eight problems."""
    protocol = replace(HOUSE, slug=f"house-{samples}", sampling=replace(HOUSE.sampling, n=samples // 8))
    ctx.commit(imports.store_batch, batch(*(problem(number) for number in range(8))), virtual.now())
    offers = []
    for vendor, own in servers.items():
        for number, server in enumerate(own):
            plain = offer(f"{vendor}-{number}")
            model = replace(plain.model, organisation=vendor)
            offers.append(replace(plain, base_url=server.url, model=model))
    ctx.commit(plan.register_demo, tuple(offers), protocol, virtual.now())
    with ctx.sessions.begin() as session:
        session.execute(update(Endpoint).values(trusted=False, timeout_s=timeout_s, max_concurrency=8))
    ctx.commit(plan.plan_samples, virtual.now())


async def served(
    ctx: Context, servers: Servers, samples: int, over: Callable[[], bool],
    *, timeout_s: float = 300.0, sweep_s: float = 60.0,
) -> int:  # fmt: skip
    """Let the fleet work until it is over; returns how many slices that took."""
    async with AsyncExitStack() as stack:
        for server in (server for own in servers.values() for server in own):
            await stack.enter_async_context(server.within())
        register(ctx, servers, samples, timeout_s)

        async def is_over() -> bool:
            return over()

        fleet = Fleet(ctx, is_over, sweep_s=sweep_s)
        await fleet.work()
        return fleet.slices


def honest_vendors(name: str) -> dict[str, list[ModelServer]]:
    return {f"{name}{number}": [ModelServer(honest(2 * number + each)) for each in range(2)] for number in range(7)}


def last_answers(ctx: Context, name: str) -> dict[str, float]:
    """By vendor, when the last of its answers came."""
    with ctx.sessions() as session:
        rows = session.execute(
            select(Model.organisation_name, func.max(Sample.answered_at), func.count())
            .join(Run, Run.model_id == Model.id)
            .join(Sample, Sample.run_id == Run.id)
            .where(Sample.state == SampleState.ANSWERED, Model.organisation_name.startswith(name))
            .group_by(Model.organisation_name)
        )
        return {row[0]: row[1].timestamp() for row in rows if row[1] and row[2] == 2 * SAMPLES}


def seconds_needed(ctx: Context, name: str, hostile: Servers) -> dict[int, float]:
    """Of each honest vendor, by number, beside these."""

    async def work() -> dict[int, float]:
        began = virtual.now().timestamp()

        def over() -> bool:
            assert virtual.now().timestamp() < began + HOUR_S
            return len(last_answers(ctx, name)) == 7

        # Who is hostile comes first, and waits longest for its first turn.
        await served(ctx, {**hostile, **honest_vendors(name)}, SAMPLES, over)
        ends = last_answers(ctx, name)
        return {number: ends[f"{name}{number}"] - began for number in range(7)}

    return virtual.run(work())


@pytest.mark.slow
def test_three_hostile_vendors_keep_nobody_waiting(ctx: Context) -> None:
    alone = seconds_needed(ctx, "alone", {})
    with ctx.sessions.begin() as session:
        session.execute(update(Run).values(state=RunState.RETIRED))
    hostile = {
        "stalls": [ModelServer(Say(stall=True)) for _ in range(HOSTILE)],
        "storms": [ModelServer(storm(seed)) for seed in range(HOSTILE)],
        "bombs": [ModelServer(bombs) for _ in range(HOSTILE)],
    }
    beside = seconds_needed(ctx, "beside", hostile)
    assert {number: beside[number] <= 1.2 * alone[number] for number in alone} == dict.fromkeys(range(7), True), (
        alone, beside,
    )  # fmt: skip
    assert all(server.asked for own in hostile.values() for server in own), "they had their turns"


def test_among_failures_nothing_is_lost_nor_asked_twice(ctx: Context) -> None:
    """5 % of 429, 2 % of 500, 1 % of stalls, 1 % of broken bodies: each sample has an answer of its own."""
    rng, given, failed, wanted = random.Random(23), list[int](), set[str](), 96
    kinds = ((0.05, "refused"), (0.07, "broken"), (0.08, "stalled"), (0.09, "cut"))

    def mixed(asked: Asked) -> Say:
        draw = rng.random()
        kind = next((name for most, name in kinds if draw < most), None)
        if kind is not None:
            failed.add(kind)
            return {
                "refused": lambda: refused(rng.choice(HEADERS[:6])),
                "broken": lambda: model_server.error(500, "oops"),
                "stalled": lambda: Say(stall=True),
                "cut": lambda: Say(pieces=[b'{"choices": ['], cut=True),
            }[kind]()
        given.append(asked.number)
        return model_server.message(f"```python\n{asked.number}\n```", delay_s=rng.uniform(0.15, 0.25))

    def over() -> bool:
        with ctx.sessions() as session:
            return session.scalar(select(func.count()).where(Sample.state != SampleState.ANSWERED)) == 0

    server = ModelServer(mixed)
    virtual.run(served(ctx, {"mixed": [server]}, wanted, over, timeout_s=30.0, sweep_s=600.0))
    assert failed == {name for _, name in kinds}
    with ctx.sessions() as session:
        answers = session.scalars(select(Sample.answer)).all()
    assert sorted(int(answer or "") for answer in answers) == given
    assert len(given) == wanted
    assert wanted * 1.05 < len(server.asked) <= wanted * 1.15 + 64


@pytest.mark.slow
def test_an_hour_holds_64_requests_more_than_its_answers_account_for(ctx: Context) -> None:
    """More than an hour of endpoints that refuse everything, whatever their headers say, or every other call."""
    answers: dict[str, list[float]] = {"half": []}

    def fails(name: str) -> Script:
        rng = random.Random(name)

        def say(asked: Asked) -> Say:
            if rng.random() < 0.5:
                return refused(rng.choice(("0", "-5", "past", "")), rng.choice((429, 500)))
            answers[name].append(asked.at)
            return model_server.message("x", delay_s=2.0)

        return say

    scripts: dict[str, Script] = {
        f"header{number}": always(header) for number, header in enumerate(("-5", "next year", ""))
    }
    scripts |= {"broken": always("0", 500), "half": fails("half")}
    servers = {name: [ModelServer(script)] for name, script in scripts.items()}

    async def work() -> int:
        return await served(ctx, servers, 400, lambda: asyncio.get_running_loop().time() > 1.1 * HOUR_S)

    slices = virtual.run(work())
    assert slices <= sum(len(server.asked) for [server] in servers.values()), "no slice for nothing"
    for name, [server] in servers.items():
        sent = server.times()
        for start in sent:
            within = sum(start <= moment < start + HOUR_S for moment in sent)
            had = sum(start - 60 <= moment < start + HOUR_S for moment in answers.get(name, ()))
            assert within <= 1.15 * had + 64, name
    short = {name: len(server.asked) for name, [server] in servers.items() if len(server.asked) < 20}
    assert len(short) == 1, "only the one that asks to be left alone for an hour at least"


def always(header: str, status: int = 429) -> Script:
    return lambda _asked: refused(header, status)
