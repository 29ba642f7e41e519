"""`tidemark up` that is killed, or refuses to start; tests/e2e/test_house_league.py has what else a whole one does."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.rules import ROOT
from support.sandboxes import sandbox_root
from support.waiting import until

from app.config import settings_for_state
from app.supervise.places import Place

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
                cwd=ROOT, stderr=out, stdout=out, env={**os.environ, "TIDEMARK_SANDBOX_ROOT": str(sandbox_root())},
            )  # fmt: skip

    def wait_for_page(self) -> str:
        """The page's address, once `up` has told it."""

        def told() -> re.Match[str] | None:
            assert self.process.poll() is None, f"no page: {self.said.read_text()}"
            return re.search(r"Tidemark is at (http://\S+)", self.said.read_text())

        found = until(told, "the page")
        assert found is not None
        return found[1]

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


@contextmanager
def up(state: Path) -> Iterator[Up]:
    started = Up(state)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.end(signal.SIGTERM)
        started.place.end_leftovers()


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
