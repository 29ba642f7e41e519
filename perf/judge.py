"""The cost of judging a submission of 20 tests in Python and C++, beside bare execs of the same program.

Everything runs on one core, and judged and bare runs alternate, so that a busy machine slows both alike. A figure per
test is the cost of one more test; starting and ending the sandbox is part of the submissions per second.
"""

import multiprocessing
import os
import queue
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from app.domain.errors import JudgeError
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Limits, ProblemSpec, Test
from perf.figures import PerfFigure, figure_at_least, figure_at_most, informative_figure
from workers.grading.judge import Judge, JudgeSettings

# Multiples of the rates or times of the bare execs.
_PYTHON_SUBMISSIONS, _PYTHON_TEST, _COLD_SUBMISSIONS = 1.6, 0.5, 0.75
_CPP_OVER_BARE_MS = 0.8
_TESTS, _MORE_TESTS = 20, 60
_ROUND_S = 22.0  # of each of the three comparisons
_LEAST_ROUNDS = 5
_SCALING_S = 8.0
_INTERPRETER = "/usr/bin/python3"

_PYTHON = "a, b = map(int, input().split())\nprint(a + b)\n"
_CPP = """#include <bits/stdc++.h>
using namespace std;
int main() { long long a, b; cin >> a >> b; cout << a + b << endl; }
"""

Action = Callable[[], object]


def measure() -> list[PerfFigure]:
    """Return the judge's figures. Raises SandboxUnavailable or JudgeError if they cannot be measured here."""
    with judge_workspace() as (judge, folder):
        python = folder / "main.py"
        python.write_text(_PYTHON)
        binary = _compile(folder)
        with _one_core():
            rows = [*_python_figures(judge, python), *_cold_figures(judge, folder), *_cached_figures(judge, binary)]
        return [*rows, _scaling_figure(judge)]


def _python_figures(judge: Judge, program: Path) -> list[PerfFigure]:
    bare = [_INTERPRETER, "-I", "-S", str(program)]
    few, many, alone, plain = _alternate_actions(
        lambda: _grade(judge, _PYTHON, "python", _TESTS),
        lambda: _grade(judge, _PYTHON, "python", _MORE_TESTS),
        lambda: _exec(bare),
        lambda: _exec([_INTERPRETER, str(program)]),
    )
    per_test = _ms_per_test(few, many)
    return [
        figure_at_least("judge.python.per_s", 1000 / few, "1/s", _execs_per_s(alone), _PYTHON_SUBMISSIONS),
        figure_at_most("judge.python.ms_per_test", per_test, "ms", alone, _PYTHON_TEST),
        informative_figure("judge.python.plain_exec_ms", plain, "ms", alone),
    ]


def _scaling_figure(judge: Judge) -> PerfFigure:
    """Return the submissions per second on all cores, beside those of one core times the cores."""
    cores = sorted(os.sched_getaffinity(0))
    [single] = _rates(judge, cores[:1])
    total = sum(_rates(judge, cores))
    return informative_figure("judge.python.all_cores_per_s", total, "1/s", single * len(cores))


def _rates(judge: Judge, cores: list[int]) -> list[float]:
    """Return the submissions per second on each core, with all cores busy."""
    work = multiprocessing.get_context("fork")
    results: multiprocessing.Queue[float] = work.Queue()
    processes = [work.Process(target=_rate_on, args=(judge, core, results)) for core in cores]
    for process in processes:
        process.start()
    try:
        return [results.get(timeout=4 * _SCALING_S) for _ in processes]
    except queue.Empty as silent:
        raise JudgeError("a judge on one of the cores failed") from silent
    finally:
        for process in processes:
            process.join()


def _rate_on(judge: Judge, core: int, results: "multiprocessing.Queue[float]") -> None:
    os.sched_setaffinity(0, {core})
    count, end = 0, time.monotonic() + _SCALING_S
    while time.monotonic() < end:
        _grade(judge, _PYTHON, "python", _TESTS)
        count += 1
    results.put(count / _SCALING_S)


def _cold_figures(judge: Judge, folder: Path) -> list[PerfFigure]:
    """Return the figure of a submission that is not cached, beside the bare compiler with a precompiled header."""
    fresh = iter(range(10**9))
    stamp = time.time_ns()
    bare = _bare_compiler(folder)
    cold, alone = _alternate_actions(lambda: _grade(judge, f"{_CPP}// {stamp} {next(fresh)}\n", "cpp", _TESTS), bare)
    return [figure_at_least("judge.cpp.cold_per_s", 1000 / cold, "1/s", 1000 / alone, _COLD_SUBMISSIONS)]


def _bare_compiler(folder: Path) -> Action:
    headers = folder / "headers" / "bits"
    headers.mkdir(parents=True)
    (headers / "stdc++.h").write_text("#include_next <bits/stdc++.h>\n")
    options = ["g++", "-std=gnu++17", "-O2"]
    header = headers / "stdc++.h.gch"
    # Without warnings: g++ would warn of a header compiled as a main file.
    subprocess.run([*options, "-w", "-x", "c++-header", "-o", str(header), str(headers / "stdc++.h")], check=True)
    source = str(folder / "main.cpp")
    return lambda: subprocess.run(
        [*options, "-I", str(headers.parent), "-o", str(folder / "again"), source], check=True, capture_output=True
    )


def _cached_figures(judge: Judge, binary: Path) -> list[PerfFigure]:
    few, many, alone = _alternate_actions(
        lambda: _grade(judge, _CPP, "cpp", _TESTS),
        lambda: _grade(judge, _CPP, "cpp", _MORE_TESTS),
        lambda: _exec([str(binary)]),
    )
    return [
        informative_figure("judge.cpp.cached_per_s", 1000 / few, "1/s", _execs_per_s(alone)),
        figure_at_most("judge.cpp.ms_per_test", _ms_per_test(few, many), "ms", alone, 1.0, plus=_CPP_OVER_BARE_MS),
    ]


def _ms_per_test(few_ms: float, many_ms: float) -> float:
    return (many_ms - few_ms) / (_MORE_TESTS - _TESTS)


def _execs_per_s(bare_ms: float) -> float:
    """Return the submissions per second if a submission were that many bare execs and nothing else."""
    return 1000 / (_TESTS * bare_ms)


def _alternate_actions(*actions: Action, seconds: float = _ROUND_S) -> list[float]:
    """Return the median milliseconds of each action; the first round, which warms up, does not count."""
    for action in actions:
        action()
    times: list[list[float]] = [[] for _ in actions]
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(times[0]) < _LEAST_ROUNDS:
        for durations, action in zip(times, actions, strict=True):
            started = time.perf_counter()
            action()
            durations.append((time.perf_counter() - started) * 1000)
    return [median(durations) for durations in times]


def _grade(judge: Judge, code: str, language: str, tests: int) -> None:
    sums = tuple(Test(f"{number} {number * number}\n", f"{number + number * number}\n") for number in range(tests))
    problem = ProblemSpec("sum", Form.STDIN, sums, Limits(time_ms=10_000))
    result = judge.grade(problem, code, language)
    if result.verdict is not Verdict.ACCEPTED:
        raise JudgeError(f"a right {language} program got {result.verdict}: {result.message}")


def _exec(command: list[str]) -> None:
    subprocess.run(command, input=b"1 2\n", stdout=subprocess.PIPE, check=True)


def _compile(folder: Path) -> Path:
    source, binary = folder / "main.cpp", folder / "main"
    source.write_text(_CPP)
    try:
        subprocess.run(["g++", "-std=gnu++17", "-O2", "-o", str(binary), str(source)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise JudgeError(f"no C++ to compare with: {error}") from error
    return binary


@contextmanager
def judge_workspace() -> Iterator[tuple[Judge, Path]]:
    """Yield a judge with a sandbox root of its own, and its folder."""
    with tempfile.TemporaryDirectory(prefix="tidemark-perf-", dir="/var/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the sandbox runs under another uid
        judge = Judge(JudgeSettings(folder / "sandbox", folder / "scratch", python=_INTERPRETER))
        judge.self_test()
        yield judge, folder


@contextmanager
def _one_core() -> Iterator[None]:
    """Run everything started in the block on one core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
