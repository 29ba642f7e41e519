"""What `./tidemark` says to somebody who has just met it: help, version, slips, closed pipes and Ctrl-C."""

import os
import pty
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from support.rules import ROOT
from typer.core import TyperArgument, TyperGroup
from typer.main import get_command
from typer.testing import CliRunner

from app.cli.__main__ import build_parser
from app.cli.verbs import VERBS, description

CALL = [sys.executable, "-m", "app.cli"]


def call(*words: str, flags: tuple[str, ...] = (), **environment: str) -> "subprocess.CompletedProcess[str]":
    """The command line in a process of its own, with nobody at a terminal."""
    return subprocess.run(
        [sys.executable, *flags, "-m", "app.cli", *words], cwd=ROOT, capture_output=True, text=True, timeout=60,
        check=False, env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
    )  # fmt: skip


def commands() -> Iterator[tuple[str, Any]]:
    """Every verb, and every verb of a group, with its name."""
    for name, verb in get_command(build_parser(list(VERBS))).commands.items():  # type: ignore[attr-defined]  # it is a group
        yield name, verb
        if isinstance(verb, TyperGroup):
            yield from ((f"{name} {part}", command) for part, command in verb.commands.items())


def test_no_verb_at_all_prints_the_help(tmp_path: Path) -> None:
    alone, asked = call(COLUMNS="80"), call("--help", COLUMNS="80")
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout == asked.stdout
    lines = alone.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for verb in VERBS:
        [line] = [line for line in lines if re.match(rf"  {verb}  ", line)]
        assert line.split(None, 1)[1][0].isupper()


def test_help_and_version_need_no_packages() -> None:
    for words, said in ((("--help",), "  board  "), (("test", "--help"), "--all"), (("--version",), "tidemark ")):
        done = call(*words, flags=("-S",))
        assert (done.returncode, done.stderr) == (0, "")
        assert said in done.stdout


def test_the_version_is_that_of_the_project_and_of_the_checkout() -> None:
    number = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    done = call("--version")
    assert re.fullmatch(rf"tidemark {re.escape(number)}( \([0-9a-f]{{7,}}\))?\n", done.stdout)
    assert ("(" in done.stdout) == (ROOT / ".git").exists()


def test_a_misspelled_verb_is_answered_with_the_nearest() -> None:
    done = call("bord", "codegen")
    assert done.returncode == 2
    assert done.stderr == "tidemark: unknown verb 'bord'; did you mean board? (tidemark --help lists the verbs)\n"


def test_every_help_reads_well() -> None:
    runner = CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"})
    for name, command in commands():
        words = name.split()
        shown = runner.invoke(build_parser(words[:1]), [*words, "--help"]).stdout
        assert max(map(len, shown.splitlines())) <= 80, name
        summary = command.help.partition("\n")[0]
        assert re.fullmatch(r"[A-Z].{10,90}\.", summary), (name, summary)
        usage = shown.split("\n\n")[0]
        for parameter in command.params:
            assert parameter.help, (name, parameter.name)
            if isinstance(parameter, TyperArgument):
                assert str(parameter.metavar) in usage, name
                assert not re.search(r"[a-z]", str(parameter.metavar).removesuffix(".json")), (name, parameter.metavar)
        assert not re.search(r"<[a-z]", shown), f"{name} shows a Python type"


def test_the_list_in_the_help_of_a_group_cuts_no_sentence() -> None:
    shown = (
        CliRunner(env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"}).invoke(build_parser(["run"]), ["run", "--help"]).stdout
    )
    listed = " ".join(shown.partition("Commands:")[2].split())
    assert "..." not in listed
    assert "show Show a run's progress: samples by state, requests, answers, cost and failures." in listed


def test_the_list_of_verbs_says_what_each_verb_says() -> None:
    for name, verb in commands():
        if " " not in name:
            assert verb.help.replace("\b\n", "") == description(name)


def test_a_closed_pipe_is_no_failure_to_talk_about() -> None:
    for words in (["--help"], ["test", "--help"]):  # without a verb's module, and by one
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            done = subprocess.run(
                [*CALL, *words], cwd=ROOT, stdout=pipe, stderr=subprocess.PIPE, timeout=60, check=False
            )
        assert (done.returncode, done.stderr) == (141, b""), words


def test_the_logs_that_there_are_are_named(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    assert call("logs", "web", "--state", str(tmp_path)).stderr == f"tidemark: there are no logs in {tmp_path}/logs\n"
    for name in ("web", "clock"):
        (tmp_path / "logs" / f"{name}.log").write_text("words\n")
    done = call("logs", "wbe", "--state", str(tmp_path))
    assert (done.returncode, done.stderr) == (
        2,
        f"tidemark: there is no log of wbe in {tmp_path}/logs; known: clock, web\n",
    )


def test_a_full_disk_is_one_line() -> None:
    for words in (["--help"], ["test", "--help"]):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [*CALL, *words], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
            )
        assert (done.returncode, done.stderr) == (1, b"tidemark: cannot write: No space left on device\n"), words


def test_a_verb_without_a_standard_output_ends_as_it_would() -> None:
    closed = [sys.executable, "-c", "import os, sys; os.close(1); os.execv(sys.executable, sys.argv[1:])", *CALL]
    done = subprocess.run([*closed, "--help"], cwd=ROOT, stderr=subprocess.PIPE, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c_ends_a_verb_with_130_and_no_traceback(tmp_path: Path) -> None:
    fifo = tmp_path / "problem.json"
    os.mkfifo(fifo)
    process = subprocess.Popen(
        [*CALL, "grade", str(fifo), "answer.py"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with fifo.open("wb"):  # returns once the verb reads
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")


IN_TURN = "import sys; from app.cli.__main__ import main; [main(words.split()) for words in sys.argv[1:]]"


def test_no_color_means_no_escape_sequence_even_on_a_terminal(tmp_path: Path) -> None:
    """Neither in helps, nor in a refusal, nor in a table."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", IN_TURN, "--help", "grade --help", "nothing", f"status --state {tmp_path}"],
        cwd=ROOT, stdout=theirs, stderr=theirs, env={**os.environ, "NO_COLOR": "1", "TERM": "xterm-256color"},
    )  # fmt: skip
    os.close(theirs)
    written = b""
    try:
        while part := os.read(ours, 65536):
            written += part
    except OSError:  # how a terminal says that the other side has closed
        pass
    os.close(ours)
    process.wait(60)
    for said in (b"tidemark VERB", b"tidemark grade", b"'nothing'", b"not running"):
        assert said in written, written
    assert b"\x1b" not in written
