"""A copy of the checkout in which one line is another, and the tests that are run there.

What takes longest, importing, is done once: a process forks for every run, and imports what the run had to import
before it forks again. Of our own modules it imports those alone that need none of the files which are broken there, so
that nothing of an unbroken one is left in a fork. Nearly all of ours need a file of app.domain: where one of these is
broken, another process forks, which imports other people's packages alone.
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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import IO

import pytest

ROOT = Path(__file__).resolve().parents[2]
_NEVER_S = 10**9  # a time when no file of the checkout was written
_NEEDED_BY_ALL = "app/domain/"
_OURS = ("app", "scrapers", "web", "workers")
_LEFT_OUT = shutil.ignore_patterns(".*", "node_modules")
_OPTIONS = (
    *(part for name in ("randomly", "cacheprovider", "xdist", "cov", "schemathesis") for part in ("-p", f"no:{name}")),
    "-x",
    "--hypothesis-profile=unshrunk",
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
    """A copy of the checkout whose `files` can be broken, and the processes that run tests in it."""

    def __init__(self, folder: Path, servers: Path, files: Iterable[str]) -> None:
        self._tree, self._times = folder / "tree", itertools.count(_NEVER_S)
        shutil.copytree(ROOT, self._tree, ignore=_LEFT_OUT, copy_function=_linked)
        self._files, self._broken = frozenset(files), ""
        self._bare = self._started(servers, None)
        self._warm = self._started(
            servers, sorted(_module(file) for file in self._files if not file.startswith(_NEEDED_BY_ALL))
        )

    def _started(self, servers: Path, broken: list[str] | None) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, str(self._tree / "tests" / "support" / "broken_trees.py"), json.dumps(broken)],
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
        process = self._bare if self._broken.startswith(_NEEDED_BY_ALL) else self._warm
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([list(tests), patience]) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        return Outcome(answer["passed"], tuple(answer["failed"]), tuple(answer["errors"]), answer["output"])

    @contextlib.contextmanager
    def broken(self, file: str, old: str, new: str) -> Iterator[None]:
        """Within this, the file says `new` where it said `old`."""
        assert file in self._files, f"{file} was not told to be broken"
        path = self._tree / file
        text = path.read_text()
        assert text.count(old) == 1, f"{file} says {old!r} {text.count(old)} times: name a line that it says once"
        path.unlink()  # it is a link to the checkout's own file
        path.write_text(text.replace(old, new))
        # Bytecode is of a file of one second: that of another breaking, or of the unbroken file, is never taken for it.
        os.utime(path, (moment := next(self._times), moment))
        self._broken = file
        try:
            yield
        finally:
            self._broken = ""
            path.unlink()
            _linked(str(ROOT / file), str(path))

    def close(self) -> None:
        """End the processes."""
        for process in (self._bare, self._warm):
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            process.wait(30)
            process.stdout.close()


def _module(file: str) -> str:
    """What Python calls a file."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


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


class _Refused:
    """Refuses to import these modules, and thereby whatever needs one of them."""

    def __init__(self, modules: Iterable[str]) -> None:
        self._modules = frozenset(modules)

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        if name in self._modules:
            raise ImportError(name)
        return None


def _serve(orders: IO[str], answers: IO[str], broken: list[str] | None) -> None:
    """Run tests as they are ordered, each time in a fork, and answer what became of them.

    Whatever a fork imported is imported here; of ours what needs none of the `broken` modules, nothing where it is
    not told which these are.
    """
    gc.disable()
    refused, tried = _Refused(broken or ()), set[str]()
    sys.meta_path.insert(0, refused)
    for order in orders:
        # What stays for ever is no garbage: looking through it takes a third of a fork's time, and makes copies of it.
        gc.freeze()
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            sys.meta_path.remove(refused)
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
        for name, ours in json.loads(outcome)["imported"] if outcome else ():
            if name in tried or (ours and broken is None):
                continue
            tried.add(name)
            with contextlib.suppress(ImportError):  # it was made while the tests ran, or needs what is broken
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
        "output": log.read_text(errors="replace")[-4000:], "imported": _imported(known),
    }  # fmt: skip
    os.write(answer, json.dumps(outcome).encode())


def _imported(known: set[str]) -> list[tuple[str, bool]]:
    """What was imported beside what was known, and whether it is ours; tests are nobody's."""
    files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items() if name not in known}
    return [
        (name, name.partition(".")[0] in _OURS)
        for name, file in files.items()
        if file and (name.partition(".")[0] in _OURS or not Path(file).is_relative_to(ROOT))
    ]


if __name__ == "__main__":
    sys.path[0] = str(ROOT)
    _serve(sys.stdin, os.fdopen(os.dup(1), "w"), json.loads(sys.argv[1]))
