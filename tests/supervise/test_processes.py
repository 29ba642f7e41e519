"""Processes by identity, and the supervisor over programs of our own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from support.rules import ROOT
from support.waiting import until

from app.domain.errors import Unavailable
from app.supervise.daemon import Daemon, program_states, render_configuration
from app.supervise.processes import (
    Process,
    end_processes,
    parent_death_prefix,
    read_pid_file,
    started_at,
    this_process,
    with_pid_file,
)
from app.supervise.programs import SupervisedProgram
from app.supervise.state_folders import StateFolders
from app.supervise.supervisord import SupervisordOptions

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
SLEEP = (sys.executable, "-c", "import time; time.sleep(60)")


@pytest.fixture
def sleeper(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    with subprocess.Popen(with_pid_file(SLEEP, tmp_path / "sleeper.pid")) as process:
        until(lambda: read_pid_file(tmp_path / "sleeper.pid") is not None)
        yield process
        process.kill()


def test_a_process_is_known_by_its_start(sleeper: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    found = read_pid_file(tmp_path / "sleeper.pid")
    assert found is not None
    assert (found.pid, found.alive()) == (sleeper.pid, True)
    assert this_process().started <= found.started <= (tmp_path / "sleeper.pid").stat().st_mtime + 1


def test_a_recycled_pid_is_somebody_elses(sleeper: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    os.utime(tmp_path / "sleeper.pid", (1e9, 1e9))  # written long before the process started
    assert read_pid_file(tmp_path / "sleeper.pid") is None
    Process(sleeper.pid, 1e9).signal(signal.SIGKILL)
    end_processes([(Process(sleeper.pid, 1e9), signal.SIGKILL)], 1.0)
    assert sleeper.poll() is None


def test_the_dead_are_not_alive(sleeper: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    found = read_pid_file(tmp_path / "sleeper.pid")
    assert found is not None
    end_processes([(found, signal.SIGTERM)], 10.0)
    assert sleeper.wait(120) == -signal.SIGTERM
    assert not found.alive()
    assert read_pid_file(tmp_path / "sleeper.pid") is None
    assert started_at(2**22 + 1) is None
    assert this_process().alive()


@pytest.mark.parametrize("written", ["", "x", "-1", "0"])
def test_a_spoilt_pid_file_names_nobody(written: str, tmp_path: Path) -> None:
    (tmp_path / "a.pid").write_text(written)
    assert read_pid_file(tmp_path / "a.pid") is None


@pytest.mark.parametrize("written", ["", "{", "null", "3", "[]", "{}", '{"process": null}', '{"process": {"pid": 1}}'])
def test_a_spoilt_word_of_an_up_names_none(written: str, tmp_path: Path) -> None:
    (tmp_path / "up.json").write_text(written)
    assert StateFolders(tmp_path, tmp_path).find_running() is None


def test_who_does_not_listen_is_killed(tmp_path: Path) -> None:
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", deaf], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        end_processes([(Process(process.pid, started_at(process.pid) or 0), signal.SIGTERM)], 0.3)
        assert process.wait(120) == -signal.SIGKILL


@pytest.mark.skipif(not parent_death_prefix(signal.SIGTERM), reason="no setpriv on this system")
def test_a_child_dies_with_its_parent(tmp_path: Path) -> None:
    child = with_pid_file([*parent_death_prefix(signal.SIGTERM), *SLEEP], tmp_path / "child.pid")
    parent = f"import subprocess, time; subprocess.Popen({child!r}); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", parent]) as process:
        # The wish is uttered by what the child is before it becomes the program itself.
        until(lambda: _runs(read_pid_file(tmp_path / "child.pid"), SLEEP))
        process.kill()
    until(lambda: read_pid_file(tmp_path / "child.pid") is None)


def _runs(found: Process | None, command: Sequence[str]) -> bool:
    """Whether a process has become the program of this command."""
    if found is None:
        return False
    try:
        said = Path(f"/proc/{found.pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    except OSError:
        return False
    return said == [each.encode() for each in command]


@pytest.fixture
def place(tmp_path: Path) -> StateFolders:
    # Names that a configuration file would trip over.
    made = StateFolders(tmp_path / "a; #state %(here)s 'q'", tmp_path / "run")
    made.make()
    return made


def _program(name: str, group: str, code: str, *arguments: str, **more: bool) -> SupervisedProgram:
    return SupervisedProgram(name, group, (sys.executable, "-c", code, *arguments), **more)


def _state(place: StateFolders, name: str) -> str | None:
    return next((state.state for state in program_states(place) or () if state.name == name), None)


def test_programs_start_crash_come_back_and_stop_in_order(place: StateFolders, tmp_path: Path) -> None:
    tell = (
        "import signal, sys, time; "
        "bye = lambda *_: (open(sys.argv[2], 'a').write(sys.argv[1] + ' '), sys.exit(0)); "
        "signal.signal(signal.SIGTERM, bye); time.sleep(60)"
    )
    ended = tmp_path / "ended"
    odd = "a ;b #c %(x)s 'd\" $e"
    parts = [
        _program("first", "first", tell, "first", str(ended), is_server=True),
        _program("second", "second", tell, "second", str(ended)),
        _program("odd", "second", f"import sys, time; assert sys.argv[1] == {odd!r}; time.sleep(60)", odd),
    ]
    daemon = Daemon.start(place, parts, ENVIRONMENT, root=os.geteuid() == 0)
    try:
        assert _state(place, "second") == "STOPPED"
        for part in parts[1:]:
            daemon.run(part)
        until(lambda: {_state(place, part.name) for part in parts} == {"RUNNING"})
        daemon.check()
        before = read_pid_file(place.pids / "second.pid")
        assert before is not None
        before.signal(signal.SIGKILL)
        until(lambda: (read_pid_file(place.pids / "second.pid") or before) != before)
        until(lambda: _state(place, "second") == "RUNNING")
    finally:
        daemon.stop()
    assert ended.read_text().split() == ["second", "first"]
    assert place.leftovers() == {}


def test_what_does_not_start_is_told_with_its_last_words(place: StateFolders) -> None:
    wrong = _program("wrong", "wrong", "raise SystemExit('error: no such tide')")
    daemon = Daemon.start(place, [wrong], ENVIRONMENT, root=os.geteuid() == 0)
    try:
        daemon.run(wrong)
        until(lambda: _state(place, "wrong") in {"BACKOFF", "FATAL"})
        with pytest.raises(Unavailable, match="wrong does not start: error: no such tide"):
            daemon.check()
        until(lambda: _state(place, "wrong") == "FATAL")
        assert daemon.restart_failed() == ["wrong"]
    finally:
        daemon.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="workers are forked on Linux only")
def test_a_worker_is_forked_and_is_a_program_like_any_other(place: StateFolders) -> None:
    """From the supervisor's fork on: its words, its pid and its exit code. That supervisors fork, every `up` shows."""
    options, log = SupervisordOptions(), place.logs / "odd.log"
    options.pidfile = str(place.pids / "supervisord.own")
    usage = [sys.executable, "-m", "workers.serve", "no-such-queue"]
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT), sys.__stderr__.fileno())  # type: ignore[union-attr]
            sys.stderr = sys.__stderr__
            options.execve(usage[0], usage, {**ENVIRONMENT, "SUPERVISOR_PROCESS_NAME": "odd"})
        finally:
            os._exit(99)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    assert "usage: python -m workers.serve" in log.read_text()
    assert (place.pids / "odd.pid").read_text() == str(child)


def test_the_supervisor_takes_everything_with_it(place: StateFolders) -> None:
    part = _program("kept", "kept", SLEEP[2], is_server=True)
    bound = SupervisedProgram("kept", "kept", (*parent_death_prefix(signal.SIGTERM), *part.command), is_server=True)
    daemon = Daemon.start(place, [bound], ENVIRONMENT, root=os.geteuid() == 0)
    until(lambda: "kept" in place.leftovers())
    place.leftovers()["supervisord"].signal(signal.SIGKILL)
    until(lambda: not daemon.alive())
    place.end_leftovers()
    assert place.leftovers() == {}
    assert program_states(place) is None


def test_the_configuration_names_groups_in_order(place: StateFolders) -> None:
    text = render_configuration(place, [_program("a", "one", ""), _program("b", "two", "")], root=False)
    assert text.index("[group:one]") < text.index("[group:two]")
    assert "user=" not in text
