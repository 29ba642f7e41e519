"""What is kept of compiling: by content, whole, and nothing of what failed. Another sandbox stands in for ours."""

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import pytest

from workers.grading.compile_cache import CompileCache, CompiledProgram
from workers.grading.host_lock import Host
from workers.grading.languages import Language
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds
from workers.grading.slowness import Slowness
from workers.grading.starvation import MachineBusy
from workers.grading.toolchains import Toolchain

BOUNDS = SandboxBounds(cpu_ms=1000, wall_ms=2000, memory_mb=64, output_bytes=1 << 20, reserve_mb=100)
GOOD = ProgramRun(0, 10.0, 10.0, 1000)
LANGUAGE = Language("x", "x", (), "", compile=("first", "second"), reserve_mb=300)
TOOLS = Toolchain(LANGUAGE, "1", LANGUAGE.compile, (), (), None, ())


@dataclass
class Sandbox:
    """Answers every run with the next of `says`: what it wrote, and how it ended."""

    says: list[tuple[bytes, ProgramRun]] = field(default_factory=lambda: [(b"made", GOOD)])
    asked: list[tuple[SandboxBounds, bytes, tuple[str, ...]]] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def run(
        self, until: SandboxBounds, take: Callable[[bytes], Any], *, stdin: bytes, argv: tuple[str, ...]
    ) -> ProgramRun:
        written, run = self.says[min(len(self.asked), len(self.says) - 1)]
        self.asked.append((until, stdin, argv))
        take(written[:2])
        take(written[2:])
        return run


def made(folder: Path, sandbox: Sandbox, source: bytes = b"source", tools: Toolchain = TOOLS) -> CompiledProgram:
    cache = CompileCache(folder, BOUNDS)
    return cache.get(tools, source, lambda: sandbox, Host(Slowness()))  # type: ignore[arg-type, return-value]


def test_a_program_is_made_once_of_each_source_and_toolchain(tmp_path: Path) -> None:
    sandbox = Sandbox()
    first = made(tmp_path, sandbox)
    assert first.path is not None
    assert first.path.read_bytes() == b"made"
    assert first.path.stat().st_mode & 0o777 == 0o555
    assert made(tmp_path, sandbox) == first
    assert len(sandbox.asked) == 1
    others = {
        made(tmp_path, sandbox, b"another").path,
        made(tmp_path, sandbox, tools=replace(TOOLS, version="2")).path,
        made(tmp_path, sandbox, tools=replace(TOOLS, compile=("second",))).path,
    }
    assert (len(others | {first.path}), len(sandbox.asked)) == (4, 4)
    until, stdin, (*_shell, script) = sandbox.asked[0]
    assert (until.reserve_mb, stdin) == (300, b"source"), "what its language reserves is more"
    assert script.index("first") < script.index("second") < script.index("exec cat main")


def test_what_is_not_as_it_was_written_is_made_again_and_what_is_used_stays_new(tmp_path: Path) -> None:
    sandbox = Sandbox()
    path = made(tmp_path, sandbox).path
    assert path is not None
    os.utime(path, (0, 0))
    made(tmp_path, sandbox)
    assert (len(sandbox.asked), path.stat().st_mtime > 10**9) == (1, True)
    path.chmod(0o755)
    path.write_bytes(b"other")
    made(tmp_path, sandbox)
    assert (len(sandbox.asked), path.read_bytes()) == (2, b"made")


FAILED = replace(GOOD, status=256)


@pytest.mark.parametrize(
    ("written", "run", "message"),
    [
        (b"made", replace(FAILED, stderr=b"wrong\x1b[2J"), "wrong?[2J"),
        (b"made", replace(FAILED, stderr=b"x" * 3000), "x" * 2000),
        (b"", FAILED, "the compiler failed without a word"),
        (b"", GOOD, "the compiler failed without a word"),
        (b"made", replace(FAILED, cpu_ms=1500.0, cpu_cut=True), "compilation took longer than 1 s"),
        (b"made", replace(GOOD, cpu_ms=1500.0), "compilation took longer than 1 s"),
        (b"made", replace(FAILED, wall_ms=9000.0, wall_cut=True), "compilation took longer than 1 s"),
        (b"made", replace(FAILED, wall_ms=9000.0, starved_cut=True), "compilation took longer than 1 s"),
        (b"made", replace(FAILED, memory_cut=True), "compilation needed more than 64 MiB"),
        (b"made", replace(GOOD, output_cut=True), "the compiled program is larger than 1 MiB"),
    ],
)
def test_of_what_failed_nothing_is_kept_but_the_reason(
    tmp_path: Path, written: bytes, run: ProgramRun, message: str
) -> None:
    found = made(tmp_path, Sandbox([(written, run)]))
    assert (found.path, found.message, found.mapped_kb) == (None, message, 0)
    assert list(tmp_path.iterdir()) == []


def test_what_the_clock_may_have_cut_is_made_again_alone_from_its_beginning(tmp_path: Path) -> None:
    late = replace(FAILED, wall_ms=9000.0, starved_ms=8000.0, wall_cut=True)
    sandbox = Sandbox([(b"half", late), (b"whole", GOOD)])
    path = made(tmp_path, sandbox).path
    assert path is not None
    assert (len(sandbox.asked), path.read_bytes()) == (2, b"whole")
    robbed = replace(late, starved_by_others_ms=8000.0)
    with pytest.raises(MachineBusy, match="compiling: the machine was busy"):
        made(tmp_path, Sandbox([(b"half", robbed)]), b"another")


@pytest.mark.parametrize(("blocks", "left"), [(4, [2, 3, 4]), (8, [0, 1, 2, 3, 4])])
def test_the_least_used_programs_make_room(tmp_path: Path, blocks: int, left: list[int]) -> None:
    """A program and its sum take a block each; room is made for what is written next."""
    cache, names = CompileCache(tmp_path, BOUNDS, limit_bytes=blocks * 4096), []
    for number in range(5):
        found = cache.get(TOOLS, b"%d" % number, Sandbox, Host())  # type: ignore[arg-type]
        assert found.path is not None
        names.append(found.path)
        for path in (found.path, found.path.with_name(f"{found.path.name}.sum")):
            os.utime(path, (number, number))
    assert [number for number, path in enumerate(names) if path.exists()] == left


def test_a_worker_looks_at_the_folder_when_it_begins_and_after_so_many_sources(tmp_path: Path) -> None:
    def never() -> Sandbox:
        raise AssertionError("there is nothing to compile")

    def grown() -> Path:
        path = tmp_path / "before"
        path.touch()
        os.truncate(path, 2 << 20)
        os.utime(path, (0, 0))
        return path

    before, cache = grown(), CompileCache(tmp_path, BOUNDS, limit_bytes=1 << 20)
    for number in range(1, 5):
        cache.get(replace(TOOLS, compile=()), b"%d" % number, never, Host())  # type: ignore[arg-type]
        assert before.exists() is (number % 2 == 0)
        if number % 2:
            grown()


def test_what_cannot_be_kept_leaves_nothing_behind(tmp_path: Path) -> None:
    path = made(tmp_path, Sandbox()).path
    assert path is not None
    path.unlink()
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        made(tmp_path, Sandbox())
    assert list(tmp_path.glob(".new-*")) == []


@dataclass
class Headers:
    """Products of a language that turn out to be damaged once, where somebody looks so thoroughly."""

    path: Path
    looks: list[bool] = field(default_factory=list)

    def repair(self, *, thoroughly: bool) -> bool:
        self.looks.append(thoroughly)
        return len(self.looks) == 1


@pytest.mark.parametrize(("first", "looks"), [((b"", FAILED), [True]), ((b"bad", GOOD), [False])])
def test_nothing_counts_that_came_of_damaged_headers(
    tmp_path: Path, first: tuple[bytes, ProgramRun], looks: list[bool]
) -> None:
    headers, sandbox = Headers(tmp_path), Sandbox([first, (b"good", GOOD)])
    path = made(tmp_path, sandbox, tools=replace(TOOLS, folder=headers)).path  # type: ignore[arg-type]
    assert path is not None
    assert (path.read_bytes(), headers.looks) == (b"good", looks)


@pytest.mark.parametrize(
    ("lines", "code", "out", "error"),
    [
        (("cp main.x main",), 0, b"source", b""),
        (("echo first; false", "cp main.x main; echo words"), 0, b"source", b""),
        (("echo first; false", "echo out; echo error >&2; false"), 1, b"", b"out\nerror\n"),
        (("true",), 1, b"", b""),
    ],
)
def test_the_last_attempt_says_what_is_wrong(
    tmp_path: Path, lines: tuple[str, ...], code: int, out: bytes, error: bytes
) -> None:
    """On whichever way out it says that: the program's own is stdout."""
    sandbox, there = Sandbox(), tmp_path / "there"
    made(tmp_path, sandbox, tools=replace(TOOLS, compile=lines))
    there.mkdir()
    [(_until, source, script)] = sandbox.asked
    done = subprocess.run(script, input=source, capture_output=True, cwd=there, check=False)
    found = done.stderr if lines != ("true",) else b""  # there the shell itself has a word
    assert (done.returncode != 0, done.stdout, found) == (code != 0, out, error)


def test_a_slow_host_lets_it_take_longer(tmp_path: Path) -> None:
    sandbox, host = Sandbox(), Host(Slowness(compiled=2.0))
    CompileCache(tmp_path, BOUNDS).get(TOOLS, b"source", lambda: sandbox, host)  # type: ignore[arg-type, return-value]
    quick = Sandbox()
    CompileCache(tmp_path, BOUNDS).get(TOOLS, b"other", lambda: quick, Host())  # type: ignore[arg-type, return-value]
    assert sandbox.asked[0][0].cpu_ms > 1.5 * quick.asked[0][0].cpu_ms
