"""Ten thousand gradings in a row, and what they leave behind: processes, mounts, descriptors, files, memory.

Right, wrong, failing, flooding, forking and compiled programs alternate on one worker. Every figure of leftovers has
the budget 0, except memory: an allocator keeps a little.
"""

import os
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

from app.domain.errors import JudgeError
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Form, Limits, ProblemSpec, Test
from perf.figures import PerfFigure, figure_within, informative_figure
from perf.judge import judge_workspace
from workers.grading.attack_suite.host_state import StrayProcesses
from workers.grading.judge import Judge

_GRADINGS, _WARM_UP = 10_000, 200
_MEMORY_MB = 16.0
_LIMIT_S = 1200.0
_SUMS = ProblemSpec("sum", Form.STDIN, (Test("1 2\n", "3\n"), Test("4 5\n", "9\n")), Limits(2000, 256, 64))
_ORPHANS = """
import os, time
for _ in range(5):
    if os.fork() == 0:
        os.setsid()
        time.sleep(60)
print(sum(map(int, input().split())))
"""
_PROGRAMS: Sequence[tuple[str, str, set[Verdict]]] = (
    ("python", "print(sum(map(int, input().split())))", {Verdict.ACCEPTED}),
    ("python", "print(3)", {Verdict.WRONG_ANSWER}),
    ("python", "open('/tmp/left', 'w').write('x' * 100000)\nraise SystemExit(1)", {Verdict.RUNTIME_ERROR}),
    ("python", "while True: print('x' * 1000)", {Verdict.OUTPUT_LIMIT}),
    ("python", _ORPHANS, {Verdict.ACCEPTED}),
    ("cpp", "#include <cstdio>\nint main() { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }",
     {Verdict.ACCEPTED}),
    ("cpp", "int main() { return nothing; }", {Verdict.COMPILE_ERROR}),
)  # fmt: skip
# The program that does not compile is compiled every time: more turns of it would take most of the run.
_PROGRAM_ORDER = (*range(6),) * 16 + (6,)


def measure() -> list[PerfFigure]:
    """Grade, and return the counts of what is left. Raises JudgeError if a program gets an unexpected verdict."""
    with judge_workspace() as (judge, folder):
        turns = cycle(_PROGRAM_ORDER)
        _grade(judge, islice(turns, _WARM_UP))
        before, strays, memory, started = _count_resources(folder), StrayProcesses(), _memory_mb(), time.monotonic()
        count = _grade(judge, islice(turns, _GRADINGS), started + _LIMIT_S)
        seconds = time.monotonic() - started
        after, processes = _count_resources(folder), len(strays.find())
        grown = _memory_mb() - memory
    left = [figure_within(f"soak.{name}_left", after[name] - before[name], name, 0) for name in before]
    left.append(figure_within("soak.processes_left", processes, "processes", 0))
    return [
        PerfFigure("soak.gradings", count, "gradings", _GRADINGS, None, count == _GRADINGS),
        informative_figure("soak.per_s", count / seconds, "1/s"),
        *left,
        figure_within("soak.memory_growth_mb", grown, "MB", _MEMORY_MB),
    ]


def _grade(judge: Judge, turns: "islice[int]", deadline: float = float("inf")) -> int:
    count = 0
    for turn in turns:
        if time.monotonic() > deadline:
            break
        language, code, verdicts = _PROGRAMS[turn]
        result = judge.grade(_SUMS, code, language)
        if result.verdict not in verdicts:
            raise JudgeError(f"after {count} gradings {code[:60]!r} got {result.verdict}: {result.message}")
        count += 1
    return count


def _count_resources(folder: Path) -> dict[str, int]:
    """Return the present counts of everything that a grading creates."""
    time.sleep(1)  # lets the last namespaces end
    return {
        "mounts": len(Path("/proc/self/mounts").read_text().splitlines()),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "files": sum(1 for _ in folder.rglob("*")),
    }


def _memory_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
