"""A model server's life: it is ready when it answers, and whoever is killed, nothing of it is left."""

import os
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from support.engines import Bench, alive, guard_of, kill, left, nothing_left
from support.waiting import until

from app.domain.errors import Unavailable
from workers.inference.gpu import guard
from workers.inference.gpu.engine_server import EngineServer

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.home.clean_up()


@pytest.fixture
def server(bench: Bench) -> Iterator[EngineServer]:
    made = bench.server()
    made.start()
    made.wait(30)
    yield made
    made.stop()


def test_what_a_server_says_while_it_serves_and_what_it_leaves(tmp_path: Path) -> None:
    bench = Bench(tmp_path, TIDEMARK_SECRET_KEY="k")
    server = bench.server(dtype="bfloat16", max_running=32)
    server.start()
    served = server.wait(30)
    assert (served.engine, served.version, served.dtype, served.max_length) == ("vllm", "0.0-fake", "bfloat16", 512)
    assert served.device == "cpu"
    assert served.template_sha256 is not None
    assert "--enforce-eager" in served.flags
    notes = bench.notes
    assert left(notes) == ["api", "core", "segment", "semaphore"]
    assert httpx.get(server.url.removesuffix("/v1") + "/health").status_code == 200

    # The record of a run holds neither key nor port.
    assert server.key not in (*served.flags, *notes["flags"])
    assert "--port" not in served.flags
    assert notes["flags"][: len(served.flags)] == list(served.flags)

    # Only who has the key is answered.
    asked = {"model": "tiny", "max_tokens": 1, "messages": [{"role": "user", "content": "1"}]}
    assert httpx.post(f"{server.url}/chat/completions", json=asked).status_code == 401

    # The engine sees none of our secrets and no hub.
    assert notes["secrets"] == []
    assert notes["offline"] == "1"
    assert notes["devices"] == ""

    # What it counts is read.
    gauges = server.gauges()
    assert gauges is not None
    assert (gauges.running, gauges.waiting, gauges.cache) == (0, 0, 0.25)
    assert gauges.tokens is not None
    assert gauges.tokens >= 1

    server.stop()
    assert left(notes) == []
    assert (bench.folder / "notes.told").exists(), "it was asked before it was made to"
    assert not server.alive
    assert not bench.home.record.exists()


@pytest.mark.parametrize("who", ["api", "core", "both", "guard"])
def test_killing_any_of_its_processes_leaves_nothing(server: EngineServer, bench: Bench, who: str) -> None:
    notes = bench.notes
    guard = guard_of(notes)
    until(lambda: notes["segment"] in bench.home.record.read_text())
    for pid in {"guard": [guard], "both": [notes["core"], notes["api"]]}.get(who) or [notes[who]]:
        kill(pid)
    until(lambda: not server.alive)
    server.stop()
    assert left(notes) == []
    assert not alive(guard)


def test_a_server_deaf_to_requests_to_end_is_killed(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FAKE_DEAF="1")
    server = bench.server()
    server.start()
    server.wait(30)
    notes = bench.notes
    server.stop()
    assert left(notes) == []


def test_of_a_log_without_end_the_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("a+b") as log:
        log.write(b"early" + b"." * guard.LOG_BYTES)
        log.write(b"last words")
        log.flush()
        guard.shorten_log(log.fileno())
        log.write(b", and more")
    said = path.read_bytes()
    assert len(said) == guard.LOG_KEPT + len(b", and more")
    assert said.endswith(b"...last words, and more")


WORKER = """
import sys, time
from pathlib import Path
from support.engines import Bench
server = Bench(Path(sys.argv[1])).server()
server.start(); server.wait(30); print("ready", flush=True); time.sleep(600)
"""


@pytest.fixture
def worker(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_a_killed_worker_takes_its_server_along(worker: "subprocess.Popen[str]", bench: Bench) -> None:
    notes = bench.notes
    worker.kill()
    assert nothing_left(notes) == []
    assert not bench.home.record.exists()


def test_a_worker_killed_with_its_guard_is_cleaned_up_after_by_the_next(
    worker: "subprocess.Popen[str]", bench: Bench
) -> None:
    notes = bench.notes
    for pid in (guard_of(notes), worker.pid):
        os.kill(pid, signal.SIGSTOP)  # so that neither does anything when the other goes
    for pid in (guard_of(notes), worker.pid):
        kill(pid)
    worker.wait()
    assert "core" in left(notes)
    server = bench.server()
    server.start()
    assert left(notes) == []
    server.wait(30)
    server.stop()


def test_a_segment_of_somebody_else_stays(server: EngineServer, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Bench(tmp_path / "other")
    neighbour = other.server()
    neighbour.start()
    neighbour.wait(30)
    server.stop()
    assert left(other.notes) == ["api", "core", "segment", "semaphore"]
    neighbour.stop()
    assert left(other.notes) == []


@pytest.mark.parametrize(
    ("start", "said"),
    [("die", "no kernel image is available"), ("mute", "a completion is refused with 500")],
)
def test_a_server_that_does_not_answer_is_stopped_and_says_why(tmp_path: Path, start: str, said: str) -> None:
    bench = Bench(tmp_path, FAKE_START=start)
    server = bench.server()
    server.start()
    with pytest.raises(Unavailable, match=said):
        server.wait(3)
    assert not server.alive
    if start == "mute":
        assert left(bench.notes) == []


def test_the_last_words_of_a_talkative_server_are_short_and_can_be_stored(bench: Bench) -> None:
    server = bench.server()
    bench.home.folder.mkdir()
    with bench.home.log.open("wb") as log:
        log.truncate(2**25)
        log.seek(0, os.SEEK_END)
        log.write(b"CUDA\0 out of memory")
    tracemalloc.start()
    try:
        said, peak = server.last_words(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (said, peak < 2**20) == ("CUDA out of memory", True)


def test_waiting_can_be_given_up(tmp_path: Path) -> None:
    bench = Bench(tmp_path, FAKE_START="slow")
    server = bench.server()
    server.start()
    with pytest.raises(Unavailable):
        server.wait(30, stop=lambda: True)
    assert not server.alive


def test_weights_that_are_nowhere_are_refused(bench: Bench, tmp_path: Path) -> None:
    from workers.inference.gpu.engines.transformers import ENGINE as OWN

    server = bench.server()
    server.weights = type(server.weights)(str(tmp_path / "nothing"), "tiny")
    with pytest.raises(Unavailable, match="no folder"):
        server.start()
    server.weights = type(server.weights)("some/model", "tiny")
    with pytest.raises(Unavailable, match="no hub"):
        server.start()
    odd = bench.server(reasoning_parser="r1")
    assert EngineServer(OWN, odd.weights, bench.home).refusal() == "transformers has no setting for reasoning_parser"
