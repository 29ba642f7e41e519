"""`tidemark up` that is killed, or refuses to start; tests/e2e/test_house_league.py has what else a whole one does."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from support.memory import family, held, started_with
from support.rules import ROOT
from support.sandboxes import sandbox_root
from support.small_league import small_league
from support.waiting import until

from app.cli.__main__ import main
from app.config import settings_for_state
from app.supervise.processes import Process
from app.supervise.state_folders import StateFolders

pytestmark = pytest.mark.timeout(1200)


class Up:
    """A running `up` on a state folder of its own, where one model plays a league of one problem."""

    def __init__(self, state: Path, **settings: str) -> None:
        self.state = state
        league = state.with_name("league")
        if not league.exists():
            small_league(league, {"house-1": ("wave-crests",)}, models=("pipit-mini",))
        self.place = StateFolders.of(settings_for_state(state))
        self.said = state.with_name("said")
        with self.said.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app.cli", "up", "--port", "0", "--no-system-packages", "--state", str(state)],
                cwd=ROOT, stderr=out, stdout=out,
                env={**os.environ, "TIDEMARK_SANDBOX_ROOT": str(sandbox_root()), "TIDEMARK_LEAGUE_DIR": str(league),
                     **settings},
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


@contextmanager
def up(state: Path, **settings: str) -> Iterator[Up]:
    started = Up(state, **settings)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.end(signal.SIGTERM)
        started.place.end_leftovers()


KEY = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY="
MARK = KEY[:12]  # of all secrets: to look for it alone tells of most memory that none is there
# What an operator may have set, and who is to have it.
HELD = {
    "TIDEMARK_SECRET_KEY": {"web", "infer"},
    "TIDEMARK_ALERT_WEBHOOK": {"ingest"},
    "TIDEMARK_SOURCES__CODEFORCES__API_SECRET": {"ingest"},
    "TIDEMARK_GRADING_PASSWORD": {"grade"},
}
PROGRAMS = {"web", "clock", "infer", "ingest", "grade", "demo"}


def _secrets() -> dict[str, str]:
    named = {name: f"http://127.0.0.1:9/{MARK}-{number}" for number, name in enumerate(HELD)}
    return {**named, "TIDEMARK_SECRET_KEY": KEY, "TIDEMARK_GRADING_PASSWORD": f"{MARK}-word"}


def _in(memory: Iterable[bytes], values: Iterable[bytes]) -> set[bytes]:
    """Which of the secrets lie there."""
    return {value for part in memory if MARK.encode() in part for value in values if value in part}


def _each_has_its_own_secrets_alone(running: Up) -> None:
    """By what each was started with, and by what lies in its memory: workers share the supervisor's.

    Nothing is judged meanwhile: that judges who have judged hold no secret is shown of the whole league.
    """
    values = {name: value.encode() for name, value in _secrets().items()}
    assert all(MARK.encode() in value for value in values.values())

    def served() -> dict[str, Process] | None:
        left = running.place.leftovers()
        return left if left.keys() >= PROGRAMS else None

    programs = until(served, "every program")
    assert programs is not None
    for program, process in programs.items():
        mine = {values[name] for name, whose in HELD.items() if program in whose}
        if mine:
            until(partial(_holds, process.pid, mine), f"what {program} is to have")
        for pid in family(process.pid) if program in PROGRAMS else (process.pid,):
            assert _in([started_with(pid), *held(pid)], values.values()) <= mine, program
    assert b"TIDEMARK_STATE=" in started_with(programs["grade"].pid)
    for program in ("supervisord", "postgres", "valkey", "clock", "ingest", "demo", "grade"):
        assert b"secret.key" not in started_with(programs[program].pid), program


def _holds(pid: int, values: set[bytes]) -> bool:
    return values <= _in(held(pid), values)


def test_each_process_has_its_own_secrets_alone_and_none_outlives_a_killed_up_or_supervisor(tmp_path: Path) -> None:
    state, settings = tmp_path / "state", {"TIDEMARK_BWRAP": "/nonexistent", **_secrets()}
    with up(state, **settings) as running:
        running.wait_for_page()
        _each_has_its_own_secrets_alone(running)
        assert running.end(signal.SIGKILL) == -signal.SIGKILL
        until(lambda: not running.place.leftovers(), "the end of all")
    with up(state, **settings) as running:
        running.wait_for_page()
        assert running.place.environments.exists()
        running.place.leftovers()["supervisord"].signal(signal.SIGKILL)
        assert running.process.wait(600) == 1
        assert "the supervisor was killed" in running.said.read_text()
        until(lambda: not running.place.leftovers(), "the end of all")
    assert not running.place.environments.exists()


def test_a_port_that_is_taken_is_one_line_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["up", "--port", str(port), "--state", str(tmp_path / "state")]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"tidemark: cannot listen on 127.0.0.1 port {port}: Address already in use; choose another with --port"
    ]
    assert StateFolders.of(settings_for_state(tmp_path / "state")).leftovers() == {}


def test_an_address_that_is_none_of_this_machine_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["up", "--host", "192.0.2.7", "--port", "0", "--state", str(tmp_path / "state")]) == 1
    assert capsys.readouterr().err.splitlines() == [
        "tidemark: cannot listen on 192.0.2.7 port 0: Cannot assign requested address; choose another with --host"
    ]


def test_data_of_another_postgresql_are_refused_and_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "state" / "postgres"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("17\n")
    assert main(["up", "--port", "0", "--state", str(tmp_path / "state")]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert "made by PostgreSQL 17" in line
    assert [path.name for path in data.iterdir()] == ["PG_VERSION"]


@pytest.mark.parametrize("words", [("--state", ""), ("--state=",)])
def test_an_unset_variable_puts_nothing_into_the_current_folder(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["up", *words]) == 2
    assert capsys.readouterr().err == "tidemark: --state is empty: name a folder, or leave it out\n"


def test_a_file_is_no_state_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "state").write_text("")
    assert main(["up", "--state", str(tmp_path / "state")]) == 1
    assert "not a folder" in capsys.readouterr().err


def test_a_board_of_nothing_is_no_empty_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "codegen", "--state", str(tmp_path / "mistyped")]) == 1
    assert "nothing is stored in" in capsys.readouterr().err
    assert not (tmp_path / "mistyped").exists()
