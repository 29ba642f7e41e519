"""`tidemark up` as a person runs it: a whole installation, killed in every way."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from support.rules import ROOT
from support.sandboxes import sandbox_root
from support.waiting import until

from app.config import settings_for_state
from app.supervise import daemon
from app.supervise.places import Place

PROGRAMS = {"postgres", "valkey", "web", "clock", "infer", "ingest", "grade", "demo"}
# Nobody listens at port 9.
SECRETS = {
    "TIDEMARK_ALERT_WEBHOOK": "http://127.0.0.1:9/a-secret-word",
    "TIDEMARK_HEARTBEAT_URL": "http://127.0.0.1:9/a-secret-word",
    "TIDEMARK_SOURCES__CODEFORCES__API_SECRET": "a-secret-word",
    "OTHERS_API_TOKEN": "a-secret-word",
}
pytestmark = pytest.mark.timeout(1200)


class Up:
    """A running `up` on a state folder of its own."""

    def __init__(self, state: Path) -> None:
        self.state = state
        self.place = Place.of(settings_for_state(state))
        self.said = state.with_name("said")
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app.cli", "up", "--port", "0", "--no-system-packages", "--state", str(state)],
                cwd=ROOT, stderr=out, stdout=out,
                env={**os.environ, **SECRETS, "TIDEMARK_SANDBOX_ROOT": str(sandbox_root())},
            )  # fmt: skip

    def wait_for_page(self) -> str:
        """The page's address, once `up` has told it."""

        def told() -> re.Match[str] | None:
            assert self.process.poll() is None, f"no page: {self.said.read_text()}"
            return re.search(r"Tidemark is at (http://\S+)", self.said.read_text())

        found = until(told, "the page")
        assert found is not None
        return found[1]

    def wait_for_programs(self) -> dict[str, Any]:
        """The status, once every program runs."""
        every = dict.fromkeys(PROGRAMS, "RUNNING")

        def all_run() -> dict[str, Any] | None:
            if {state.name: state.state for state in daemon.states(self.place) or ()} != every:
                return None
            done = verb("status", "--json", "--state", str(self.state))
            assert done.returncode == 0, done.stderr
            facts: dict[str, Any] = json.loads(done.stdout)
            # One that was killed just now may have been found out in between.
            return facts if {fact["name"]: fact["state"] for fact in facts["processes"]} == every else None

        facts = until(all_run, "the start of every program")
        assert facts is not None
        return facts

    def end(self, number: signal.Signals) -> int:
        """Send a signal and return the exit code."""
        self.process.send_signal(number)
        return self.process.wait(600)


def verb(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def status_of(url: str, path: str) -> int:
    at = urlsplit(url)
    connection = HTTPConnection(at.hostname or "", at.port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def judges_hold_no_secret(running: Up) -> None:
    """Their role does all their work, and what they were started with names neither a secret nor the key's file."""
    graders = [process.pid for name, process in running.place.leftovers().items() if name == "grade"]
    for children in Path(f"/proc/{graders[0]}/task").glob("*/children"):
        graders += [int(pid) for pid in children.read_text().split()]
    told = b"".join(Path(f"/proc/{pid}/environ").read_bytes() for pid in graders)
    assert b"TIDEMARK_STATE=" in told
    assert re.findall(rb"\S*(?:a-secret-word|secret\.key)\S*", told) == []
    assert all(b"a-secret-word" not in held(pid) for pid in graders)
    with psycopg.connect(f"host={running.place.runtime} user=tidemark dbname=tidemark", autocommit=True) as database:
        until(
            lambda: database.execute("SELECT 1 FROM pg_stat_activity WHERE usename = 'tidemark_grading'").fetchone(),
            "the judges' role",
        )
        verdicts = "SELECT count(*) FROM verdicts WHERE verdict = 'accepted'"
        until(lambda: database.execute(verdicts).fetchone() != (0,), "a verdict")


def held(pid: int) -> bytes:
    """What lies in a process's own writable memory."""
    parts = []
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights = line.split()[:2]
            begin, end = (int(part, 16) for part in span.split("-"))
            if rights == "rw-p":
                memory.seek(begin)
                with suppress(OSError):
                    parts.append(memory.read(end - begin))
    return b"".join(parts)


@contextmanager
def up(state: Path) -> Iterator[Up]:
    started = Up(state)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.end(signal.SIGTERM)
        started.place.end_leftovers()


def test_up_serves_survives_kills_and_ends_cleanly(tmp_path: Path) -> None:
    with up(tmp_path / "state with a space") as running:
        url = running.wait_for_page()
        assert status_of(url, "/healthz") == 200
        assert re.search(
            rf"one-time maintainer link: {re.escape(url)}/login\?token=\S{{20,}}", running.said.read_text()
        )
        assert running.place.state.stat().st_mode & 0o777 == 0o700

        facts = running.wait_for_programs()
        assert (facts["url"], facts["pid"]) == (url, running.process.pid)

        judges_hold_no_secret(running)
        listed = verb("model", "list", "--state", str(running.state))
        assert listed.returncode == 0, listed.stderr

        second = verb("up", "--port", "0", "--state", str(running.state))
        assert second.returncode == 1
        assert second.stderr.splitlines() == [
            f"tidemark: `tidemark up` (pid {running.process.pid}) uses {running.state} and serves {url}"
        ]
        assert "database system is ready" in verb("logs", "postgres", "--state", str(running.state)).stdout
        assert verb("logs", "nothing", "--state", str(running.state)).returncode == 1

        before = {fact["name"]: fact["pid"] for fact in facts["processes"]}
        for process in running.place.leftovers().values():
            if process.pid in before.values():
                os.kill(process.pid, signal.SIGKILL)
        after = {program["name"]: program["pid"] for program in running.wait_for_programs()["processes"]}
        assert {name for name in PROGRAMS if before[name] == after[name]} == set()
        until(lambda: status_of(url, "/healthz") == 200, "the page")

        stopped = verb("down", "--state", str(running.state))
        assert (stopped.returncode, stopped.stdout) == (0, "stopped\n")
        assert running.process.wait(600) == 0
        assert running.place.leftovers() == {}
        log = (running.place.logs / "postgres.log").read_text()
        assert log.rstrip().endswith("database system is shut down")
        assert not running.place.runtime.exists()
    for file in running.place.valkey.rglob("*"):
        if file.is_file():
            file.write_bytes(b"\xff" * 4096)
    with up(running.state) as again:
        again.wait_for_page()
        again.wait_for_programs()
        assert "the broker could not read its files" in again.said.read_text()
    nothing = verb("status", "--state", str(running.state))
    assert (nothing.returncode, nothing.stdout) == (3, "not running\n")
    assert verb("down", "--state", str(running.state)).stdout == "nothing was running\n"


def test_nothing_outlives_a_killed_up_or_supervisor(tmp_path: Path) -> None:
    state = tmp_path / "state"
    with up(state) as running:
        running.wait_for_page()
        assert running.end(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: not running.place.leftovers(), "the end of all")
    with up(state) as running:
        running.wait_for_page()
        running.place.leftovers()["supervisord"].signal(signal.SIGKILL)
        assert running.process.wait(600) == 1
        assert "the supervisor was killed" in running.said.read_text()
        until(lambda: not running.place.leftovers(), "the end of all")


def test_a_port_that_is_taken_is_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = verb("up", "--port", str(port), "--state", str(tmp_path / "state"))
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"tidemark: cannot listen on 127.0.0.1 port {port}: Address already in use; choose another with --port"
    ]
    assert Place.of(settings_for_state(tmp_path / "state")).leftovers() == {}


def test_data_of_another_postgresql_are_refused_and_left_alone(tmp_path: Path) -> None:
    data = tmp_path / "state" / "postgres"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("17\n")
    done = verb("up", "--port", "0", "--state", str(tmp_path / "state"))
    assert done.returncode == 1
    assert "made by PostgreSQL 17" in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert [path.name for path in data.iterdir()] == ["PG_VERSION"]


@pytest.mark.parametrize("words", [("--state", ""), ("--state=",)])
def test_an_unset_variable_puts_nothing_into_the_current_folder(words: tuple[str, ...]) -> None:
    done = verb("up", *words)
    assert (done.returncode, done.stderr) == (2, "tidemark: --state is empty: name a folder, or leave it out\n")


def test_a_file_is_no_state_folder(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    done = verb("up", "--state", str(tmp_path / "state"))
    assert done.returncode == 1
    assert "not a folder" in done.stderr


def test_a_board_of_nothing_is_no_empty_board(tmp_path: Path) -> None:
    done = verb("board", "codegen", "--state", str(tmp_path / "mistyped"))
    assert done.returncode == 1
    assert "nothing is stored in" in done.stderr
    assert not (tmp_path / "mistyped").exists()
