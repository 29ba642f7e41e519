"""`tidemark worker gpu` as an operator runs it: workers as processes, killed in every way."""

import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pipeline.test_local_weights import QUESTIONS, fresh_database, questions, serve, states
from sqlalchemy import select
from support.engines import COMMAND, Bench, alive, kill, nothing_left
from support.rules import ROOT
from support.waiting import until

from app.config import Settings
from app.db.tables import Endpoint
from app.domain.errors import InvalidInput
from app.domain.states import SampleState
from app.services.runs import local_weights
from app.supervise.gpus import parse_command, parse_devices
from workers import tasks
from workers.context import Context, make_context, now, use
from workers.serve import main

__all__ = ["fresh_database", "questions"]  # fixtures
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


def asked_once(ctx: Context, already: int = 0) -> int:
    """Wait for the first answer after those that there are; how many may be in flight at an endpoint."""
    until(lambda: ctx.commit(local_weights.gpu_queues, now()), "a word of the worker")

    def some() -> bool:
        tasks.sweep()
        return states(ctx)[SampleState.ANSWERED] > already

    until(some, "an answer")
    with ctx.sessions() as session:
        return max(session.scalars(select(Endpoint.max_concurrency)))


def finish(ctx: Context, count: int) -> None:
    """Until everything is answered; the clock would sweep."""

    def over() -> bool:
        tasks.sweep()
        return states(ctx) == {SampleState.ANSWERED: count}

    until(over, "every answer")


@pytest.mark.slow
def test_a_killed_verb_and_a_killed_worker_lose_and_leave_nothing(
    ctx: Context, bench: Bench, verb: "subprocess.Popen[bytes]", capsys: pytest.CaptureFixture[str]
) -> None:
    """The verb is started again by its user, the worker by the verb. A second worker of the device refuses."""
    until(lambda: ctx.commit(local_weights.gpu_queues, now()), "a word of the worker")
    use(make_context(ctx.settings.model_copy(update={"state_dir": bench.folder, "gpu_devices": "cpu"})))
    assert main(["gpu"]) == 1
    assert "another worker has cpu" in capsys.readouterr().err
    use(ctx)
    serve(ctx, bench, max_running=1)
    in_flight = asked_once(ctx)
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
        finish(ctx, QUESTIONS)
        assert len(bench.asked()) - asked == QUESTIONS - kept, "asked again is only what was in flight or just heard"
        asked = len(bench.asked())
        serve(ctx, bench, "knot", max_running=1)
        asked_once(ctx, QUESTIONS)
        notes, worker = bench.notes, worker_of(again)
        kill(worker)
        finish(ctx, 2 * QUESTIONS)
        assert worker_of(again) != worker
        assert nothing_left(notes) == []
        more = len(bench.asked()) - asked - QUESTIONS
        assert 0 <= more <= in_flight + 1, "and one that was heard and not written down yet"
        notes = bench.notes
        again.send_signal(signal.SIGTERM)
        assert again.wait(90) == 0
        assert nothing_left(notes, 0) == []
    finally:
        end(again)


def test_devices_are_read_as_they_are_written() -> None:
    assert parse_devices("0,1", there=0) == ["0", "1"]
    assert parse_devices("0+1,2", there=3) == ["0,1", "2"]
    assert parse_devices("cpu") == ["cpu"]
    assert parse_devices("GPU-5a,MIG-7") == ["GPU-5a", "MIG-7"]
    for wrong, said in (
        ("0,0", "device 0 twice"), ("0+0", "device 0 twice"), ("cpu,0", "'cpu' cannot be combined with other devices"),
        ("", "'' is not a device"), ("0,", "'' is not a device"),
        ("a b", "'a b' is not a device"), ("-1", "'-1' is not a device"),
        ("x", "'x' is not a device"), ("0,GPU", "'GPU' is not a device"), ("²", "'²' is not a device"),
        ("cpu+1", "'cpu' cannot be combined with other devices"), ("000001", "'000001' is not a device"),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match=said):
            parse_devices(wrong)
    with pytest.raises(InvalidInput, match="there is no GPU 2 here: 2 were found, numbered from 0"):
        parse_devices("1,2", there=2)
    assert parse_devices("1,GPU-5a", there=2) == ["1", "GPU-5a"]
    assert parse_command("python 'my engine.py'") == ["python", "my engine.py"]
    with pytest.raises(InvalidInput, match="cannot be read: No closing quotation"):
        parse_command("python 'my engine.py")
