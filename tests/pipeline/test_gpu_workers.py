"""`tidemark worker gpu` as an operator runs it: workers as processes, killed in every way."""

import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pipeline.test_local_weights import QUESTIONS, serve, states
from support.engines import COMMAND, Bench, alive, kill, nothing_left
from support.rules import ROOT
from support.waiting import until

from app.config import Settings
from app.db.tables import Endpoint
from app.domain.errors import InvalidInput
from app.domain.states import SampleState
from app.services.runs import local
from app.supervise.gpus import groups, program
from workers import tasks
from workers.context import Context, make_context, now, use

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, FAKE_DELAY="0.5")


@pytest.fixture
def ctx(settings: Settings) -> Iterator[Context]:
    made = use(make_context(settings.model_copy(update={"lease_s": 2.0})))
    yield made
    made.close()


def begin(ctx: Context, bench: Bench) -> "subprocess.Popen[bytes]":
    """Start the verb, for a fleet; its one worker has the processor."""
    fleet = {
        "TIDEMARK_STATE": str(bench.folder), "TIDEMARK_DATABASE_URL": ctx.settings.database_url,
        "TIDEMARK_REDIS_URL": ctx.settings.redis_url, "TIDEMARK_LEASE_S": "2", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    command = [sys.executable, "-m", "app.cli", "worker", "gpu", "--devices", "cpu"]
    return subprocess.Popen(
        [*command, "--engine-command", shlex.join(COMMAND)], env={**bench.environment, **fleet}, cwd=ROOT
    )


def end(process: "subprocess.Popen[bytes]") -> None:
    """As its user does."""
    if process.poll() is None:
        process.terminate()
    process.wait(90)


@pytest.fixture
def verb(ctx: Context, bench: Bench) -> Iterator["subprocess.Popen[bytes]"]:
    process = begin(ctx, bench)
    yield process
    end(process)


def worker_of(verb: "subprocess.Popen[bytes]") -> int:
    """The worker that the verb started."""

    def found() -> int | None:
        children = Path(f"/proc/{verb.pid}/task/{verb.pid}/children").read_text().split()
        return int(children[0]) if children else None

    number = until(found, "a worker")
    assert number is not None
    return number


def asked_once(ctx: Context, bench: Bench) -> int:
    """Wait for the first answer; how many may be in flight."""
    until(lambda: ctx.commit(local.devices, now()), "a word of the worker")

    def some() -> bool:
        tasks.sweep()
        return states(ctx)[SampleState.ANSWERED] > 0

    until(some, "an answer")
    with ctx.sessions() as session:
        return session.query(Endpoint).one().max_concurrency


def finish(ctx: Context) -> None:
    """Until everything is answered; the clock would sweep."""

    def over() -> bool:
        tasks.sweep()
        return states(ctx) == {SampleState.ANSWERED: QUESTIONS}

    until(over, "every answer")


def test_a_killed_worker_is_replaced_and_asks_again_only_what_was_in_flight(
    ctx: Context, bench: Bench, verb: "subprocess.Popen[bytes]"
) -> None:
    serve(ctx, bench, max_running=1)
    in_flight = asked_once(ctx, bench)
    notes, worker = bench.notes, worker_of(verb)
    kill(worker)
    finish(ctx)
    assert worker_of(verb) != worker
    assert nothing_left(notes) == []
    assert 0 <= len(bench.asked()) - QUESTIONS <= in_flight + 1, "and one that was heard and not written down yet"
    notes = bench.notes
    verb.send_signal(signal.SIGTERM)
    assert verb.wait(90) == 0
    assert nothing_left(notes, 0) == []


def test_a_second_worker_of_a_device_refuses_and_a_killed_verb_that_is_started_again_loses_nothing(
    ctx: Context, bench: Bench, verb: "subprocess.Popen[bytes]"
) -> None:
    until(lambda: ctx.commit(local.devices, now()), "a word of the worker")
    second = second_worker(ctx, bench)
    assert second.returncode == 1
    assert "another worker has cpu" in second.stderr
    serve(ctx, bench, max_running=1)
    asked_once(ctx, bench)
    notes, worker = bench.notes, worker_of(verb)
    verb.kill()
    verb.wait()
    assert nothing_left(notes) == []
    until(lambda: not alive(worker))
    asked, kept = len(bench.asked()), states(ctx)[SampleState.ANSWERED]

    def handed_back() -> bool:
        tasks.sweep()
        return states(ctx)[SampleState.INFERRING] == 0

    until(handed_back)
    again = begin(ctx, bench)
    try:
        finish(ctx)
        assert len(bench.asked()) - asked == QUESTIONS - kept, "asked again is only what was in flight or just heard"
    finally:
        end(again)
    assert nothing_left(bench.notes) == []


def second_worker(ctx: Context, bench: Bench) -> "subprocess.CompletedProcess[str]":
    environment = {
        **os.environ, "TIDEMARK_STATE": str(bench.folder), "TIDEMARK_DATABASE_URL": ctx.settings.database_url,
        "TIDEMARK_REDIS_URL": ctx.settings.redis_url, "TIDEMARK_GPU_DEVICES": "cpu", "PYTHONPATH": str(ROOT),
    }  # fmt: skip
    return subprocess.run(
        [sys.executable, "-m", "workers.serve", "gpu"], env=environment, cwd=ROOT, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip


def test_devices_are_read_as_they_are_written() -> None:
    assert groups("0,1") == ["0", "1"]
    assert groups("0+1,2") == ["0,1", "2"]
    assert groups("cpu") == ["cpu"]
    assert groups("GPU-5a,MIG-7") == ["GPU-5a", "MIG-7"]
    for wrong in ("0,0", "0+0", "cpu,0", "", "0,", "a b", "--x;", "-1"):
        with pytest.raises(InvalidInput):
            groups(wrong)
    assert program("python 'my engine.py'") == ["python", "my engine.py"]
    with pytest.raises(InvalidInput, match="cannot be read: No closing quotation"):
        program("python 'my engine.py")
