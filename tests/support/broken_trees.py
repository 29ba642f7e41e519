"""A copy of the checkout in which one line is another, and the tests that are run there.

What takes longest, importing other people's packages, is done once: a process forks for every run, and imports what
the run had to import of theirs before it forks again. Our own modules a fork imports from the copy, so that nothing of
the unbroken ones is left in it.
"""

import contextlib
import gc
import itertools
import json
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import IO

import pytest

ROOT = Path(__file__).resolve().parents[2]
_NEVER_S = 10**9  # a time when no file of the checkout was written
_LEFT_OUT = shutil.ignore_patterns(".*", "node_modules")
_OPTIONS = (
    *(part for name in ("randomly", "cacheprovider", "xdist", "cov", "schemathesis") for part in ("-p", f"no:{name}")),
    "-x",
    "--tb=native",  # nearly every run has a failure to tell, and the short way asks for the path of every file
    "--assert=plain",  # that a test fails is asked, not with what values: to tell two long texts apart takes seconds
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run of tests said: how many passed, which failed while they ran, and what never ran."""

    passed: int
    failed: tuple[str, ...]
    errors: tuple[str, ...]
    output: str


class BrokenTree:
    """A copy of the checkout, and a process that runs tests in it."""

    def __init__(self, folder: Path, servers: Path) -> None:
        self._tree, self._times = folder / "tree", itertools.count(_NEVER_S)
        shutil.copytree(ROOT, self._tree, ignore=_LEFT_OUT, copy_function=_linked)
        self._process = subprocess.Popen(
            [sys.executable, str(self._tree / "tests" / "support" / "broken_trees.py")],
            cwd=self._tree,
            # What a test starts is of the tree, too. What one run compiled is there for the next.
            env={
                **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
                "TIDEMARK_TEST_SERVERS": str(servers),
                "PYTHONPATH": str(self._tree),
            },
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, tests: Sequence[str], *, patience: float) -> Outcome:
        """Run these tests in the tree as it is now, up to the first that fails, with a share of their patience."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([list(tests), patience]) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return Outcome(answer["passed"], tuple(answer["failed"]), tuple(answer["errors"]), answer["output"])

    @contextlib.contextmanager
    def broken(self, file: str, old: str, new: str) -> Iterator[None]:
        """Within this, the file says `new` where it said `old`."""
        path = self._tree / file
        text = path.read_text()
        assert text.count(old) == 1, f"{file} says {old!r} {text.count(old)} times: name a line that it says once"
        path.unlink()  # it is a link to the checkout's own file
        path.write_text(text.replace(old, new))
        # Bytecode is of a file of one second: that of another breaking, or of the unbroken file, is never taken for it.
        os.utime(path, (moment := next(self._times), moment))
        try:
            yield
        finally:
            path.unlink()
            _linked(str(ROOT / file), str(path))

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)
        assert self._process.stdout is not None
        self._process.stdout.close()


def _linked(source: str, target: str) -> str:
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy2(source, target)
    return target


class _Recorder:
    """A pytest plugin that keeps what became of every test."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []
        self.errors: list[str] = []

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.errors.append(report.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.passed += report.passed
            if report.failed:
                self.failed.append(report.nodeid)
        elif report.failed:
            self.errors.append(report.nodeid)


def _serve(orders: IO[str], answers: IO[str]) -> None:
    """Run tests as they are ordered, each time in a fork, and answer what became of them."""
    gc.disable()
    for order in orders:
        # What stays for ever is no garbage: looking through it takes a third of a fork's time, and makes copies of it.
        gc.freeze()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            try:
                tests, patience = json.loads(order)
                _run(tests, patience, writing)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            outcome = pipe.read()
        os.waitpid(child, 0)
        answers.write((outcome or json.dumps({"passed": 0, "failed": [], "errors": ["it died"], "output": ""})) + "\n")
        answers.flush()
        for name in json.loads(outcome)["imported"] if outcome else ():
            with contextlib.suppress(ImportError):  # it was made while the tests ran
                import_module(name)


def _run(tests: list[str], patience: float, answer: int) -> None:
    os.environ["TIDEMARK_TEST_PATIENCE"] = str(patience)
    log = Path("broken.log")
    with log.open("w") as words:
        os.dup2(words.fileno(), 1)
        os.dup2(words.fileno(), 2)
    recorder, known = _Recorder(), set(sys.modules)
    code = pytest.main([*_OPTIONS, *tests], plugins=[recorder])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and not recorder.errors:
        recorder.errors.append(f"pytest ended with {code!r}")
    sys.stdout.flush()
    outcome = {
        "passed": recorder.passed, "failed": recorder.failed, "errors": recorder.errors,
        "output": log.read_text(errors="replace")[-4000:], "imported": _others(known),
    }  # fmt: skip
    os.write(answer, json.dumps(outcome).encode())


def _others(known: set[str]) -> list[str]:
    """What was imported beside what was known, and lies outside this tree."""
    files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items() if name not in known}
    return [name for name, file in files.items() if file and not Path(file).is_relative_to(ROOT)]


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    _serve(sys.stdin, os.fdopen(os.dup(1), "w"))
