"""What is kept of compiling: by content, whole, and nothing of what failed. Another sandbox stands in for ours."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import pytest

from workers.grading.compile_cache import CompileCache, Compiled
from workers.grading.languages import Language
from workers.grading.outcome import Busy
from workers.grading.sandbox.protocol import Bounds, Run
from workers.grading.slowness import Slowness
from workers.grading.toolchains import Toolchain
from workers.grading.turns import Host

BOUNDS = Bounds(cpu_ms=1000, wall_ms=2000, memory_mb=64, output_bytes=1 << 20, reserve_mb=100)
GOOD = Run(0, 10.0, 10.0, 1000)
LANGUAGE = Language("x", "x", (), "", compile=("first", "second"), reserve_mb=300)
TOOLS = Toolchain(LANGUAGE, "1", LANGUAGE.compile, (), (), None, ())


@dataclass
class Sandbox:
    """Answers every run with the next of `says`: what it wrote, and how it ended."""

    says: list[tuple[bytes, Run]] = field(default_factory=lambda: [(b"made", GOOD)])
    asked: list[tuple[Bounds, bytes, tuple[str, ...]]] = field(default_factory=list)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def run(self, until: Bounds, take: Callable[[bytes], Any], *, stdin: bytes, argv: tuple[str, ...]) -> Run:
        written, run = self.says[min(len(self.asked), len(self.says) - 1)]
        self.asked.append((until, stdin, argv))
        take(written[:2])
        take(written[2:])
        return run


def made(folder: Path, sandbox: Sandbox, source: bytes = b"source", tools: Toolchain = TOOLS) -> Compiled:
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
        (b"made", replace(FAILED, memory_cut=True), "compilation needed more than 64 MiB"),
        (b"made", replace(GOOD, output_cut=True), "the compiled program is larger than 1 MiB"),
    ],
)
def test_of_what_failed_nothing_is_kept_but_the_reason(tmp_path: Path, written: bytes, run: Run, message: str) -> None:
    found = made(tmp_path, Sandbox([(written, run)]))
    assert (found.path, found.message, found.mapped_kb) == (None, message, 0)
    assert list(tmp_path.iterdir()) == []


def test_what_the_clock_may_have_cut_is_made_again_alone_from_its_beginning(tmp_path: Path) -> None:
    late = replace(FAILED, wall_ms=9000.0, starved_ms=8000.0, wall_cut=True)
    sandbox = Sandbox([(b"half", late), (b"whole", GOOD)])
    path = made(tmp_path, sandbox).path
    assert path is not None
    assert (len(sandbox.asked), path.read_bytes()) == (2, b"whole")
    robbed = replace(late, robbed_ms=8000.0)
    with pytest.raises(Busy, match="compiling: the machine was busy"):
        made(tmp_path, Sandbox([(b"half", robbed)]), b"another")


def test_the_least_used_programs_make_room(tmp_path: Path) -> None:
    cache, names = CompileCache(tmp_path, BOUNDS, limit_bytes=4 * 4096), []
    for number in range(4):
        found = cache.get(TOOLS, b"%d" % number, Sandbox, Host())  # type: ignore[arg-type]
        assert found.path is not None
        names.append(found.path)
        for path in (found.path, found.path.with_name(f"{found.path.name}.sum")):
            os.utime(path, (number, number))
    assert [path.exists() for path in names] == [False, True, True, True], "room is made for what is written next"
