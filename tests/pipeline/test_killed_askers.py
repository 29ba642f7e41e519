"""Inference workers that are killed while they ask: every sample ends with one answer, none lost and none doubled."""

import os
import random
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from fakes import model_server
from fakes.model_server import Asked, ModelServer, Say
from pipeline.flow import offer
from sqlalchemy import func, select, update
from support.batches import batch, problem
from support.waiting import until

from app.db.tables import Blob, Endpoint, Run, Sample
from app.domain.asking.protocols import HOUSE
from app.domain.states import SampleState
from app.services.runs import imports, plan
from workers import tasks
from workers.context import Context, now

ROOT = Path(__file__).resolve().parents[2]
LEASE_S = 3.0
ENDPOINTS = 4
# Worker processes, one for each line that is read: each takes slices while there are some, in as many threads as there
# are endpoints. What they run over is imported once.
WORKERS = """
import os, signal, sys, threading, time
from app.config import Settings
from workers import tasks
from workers.context import make_context, use
def work():
    while True:
        tasks.infer_slice()
        time.sleep(0.2)
made = []
try:
    for _line in iter(sys.stdin.readline, ""):
        made.append(os.fork())
        if made[-1] == 0:
            made.clear()
            use(make_context(Settings(_env_file=None)))
            for _ in range(int(sys.argv[1]) - 1):
                threading.Thread(target=work, daemon=True).start()
            work()
        print(made[-1], flush=True)
finally:
    for process in made:
        os.kill(process, signal.SIGKILL)
"""


@contextmanager
def workers_of(ctx: Context) -> Iterator[Callable[[], int]]:
    """Starts a worker and returns its number; at the end all are dead."""
    given = ctx.settings
    told = {
        "TIDEMARK_DATABASE_URL": given.database_url, "TIDEMARK_REDIS_URL": given.redis_url,
        "TIDEMARK_STATE": str(given.state_dir), "TIDEMARK_SECRET_KEY_FILE": str(given.secret_key_file),
        "TIDEMARK_LEASE_S": str(LEASE_S), "TIDEMARK_ENDPOINT_ALLOW": "127.0.0.0/8",
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", WORKERS, str(ENDPOINTS)], cwd=ROOT, env=os.environ | told, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    told_to, says = process.stdin, process.stdout
    assert told_to is not None
    assert says is not None

    def start() -> int:
        print(file=told_to, flush=True)
        return int(says.readline())

    with process:
        yield start
        told_to.close()


@pytest.mark.parametrize(
    ("samples", "kills", "workers"),
    [
        pytest.param(40, 1, 1, id="40"),
        pytest.param(5000, 12, 2, id="5000", marks=[pytest.mark.slow, pytest.mark.timeout(900)]),
    ],
)
def test_every_sample_is_answered_once(ctx: Context, samples: int, kills: int, workers: int) -> None:
    rng = random.Random(samples)
    lock, given = threading.Lock(), Counter[str]()

    def say(asked: Asked) -> Say:
        with lock:
            if rng.random() < 0.03:
                return rng.choice([model_server.error(500, "oops"), Say(drop=True)])
            text = f"```python\nprint({len(given)})\n```"
            given[text] += 1
        return model_server.message(text, delay_s=rng.uniform(0.02, 0.2))

    with ModelServer(say) as server:
        plan_samples(ctx, server, samples)
        with workers_of(ctx) as start:
            running = [start() for _ in range(workers)]
            for kill in range(kills):
                wanted = samples * (kill + 1) // (kills + 2)
                wait_until_answered(ctx, wanted)
                os.kill(running.pop(rng.randrange(workers)), signal.SIGKILL)
                running.append(start())
            wait_until_answered(ctx, samples)
        asked = len(server.asked)
    with ctx.sessions() as session:
        rows = session.execute(select(Sample.response, Sample.raw_sha256, Sample.lease_token, Sample.error)).all()
        kept = session.scalar(select(func.count()).select_from(Blob).where(Blob.sha256.in_([row[1] for row in rows])))
    assert (len(rows), {row[2:] for row in rows}) == (samples, {(None, None)})
    assert len({row[0] for row in rows}) == samples, "no answer is two samples'"
    assert {row[0] for row in rows} <= given.keys()
    assert kept == len({row[1] for row in rows})
    # What was under way when a worker died is asked again, as is what failed; nothing else.
    assert asked <= samples * 1.15 + kills * ENDPOINTS * 32


def plan_samples(ctx: Context, server: ModelServer, samples: int) -> None:
    protocol = replace(HOUSE, slug="many", sampling=replace(HOUSE.sampling, n=samples // (ENDPOINTS * 10)))
    slugs = [f"model-{number}" for number in range(ENDPOINTS)]
    with ctx.sessions.begin() as session:
        imports.store_batch(session, batch(*(problem(number) for number in range(10))), now())
        offers = tuple(replace(offer(slug), base_url=server.url) for slug in slugs)
        plan.register_demo(session, offers, protocol, now())
        session.execute(update(Endpoint).values(trusted=False, max_concurrency=32))
        plan.plan_samples(session, now())
        planned = session.scalar(select(func.count()).select_from(Sample).join(Run, Run.id == Sample.run_id))
    assert planned == samples


def wait_until_answered(ctx: Context, wanted: int) -> None:
    """Sweep until so many are; a lease that is nobody's any more runs out meanwhile."""

    def all_answered() -> bool:
        tasks.sweep()
        with ctx.sessions() as session:
            answered = select(func.count()).where(Sample.state == SampleState.ANSWERED)
            return (session.scalar(answered) or 0) >= wanted

    until(all_answered, f"{wanted} answers", 600)
