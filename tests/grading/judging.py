"""Short ways to ask the judge."""

from typing import Any

from support.work import others_time

from app.domain.judging.verdicts import GradeResult, Verdict
from app.domain.problems import Checker, Entry, Form, Limits, Param, ProblemSpec, Test
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import Judge, JudgeSettings

SUM = "a, b = map(int, input().split())\nprint(a + b)\n"
QUICK = Limits(time_ms=1000, memory_mb=128, output_kb=1024)
DEFAULT = Checker()


class Passed(AnsweringJudge):
    """A judge of other settings in the sandbox of one that has passed its self-test, which takes half a second. It has
    found no language yet, as when it has just started."""

    def __init__(self, settings: JudgeSettings, judge: Judge) -> None:
        """They may differ in what is no part of the sandbox."""
        super().__init__(settings)
        names = ("sandbox_root", "python", "bwrap", "compiler", "require_cgroup", "first_uid", "slots")
        assert [getattr(settings, name) for name in names] == [getattr(judge._settings, name) for name in names]
        self._tools, self._packages = judge._tools, judge._packages
        self._groups, self._proc = judge._groups, judge._proc


def sums(count: int = 3, limits: Limits = QUICK) -> ProblemSpec:
    """Two integers in, their sum out."""
    return ProblemSpec("sum", Form.STDIN, tuple(Test(f"{n} {n * n}\n", f"{n + n * n}\n") for n in range(count)), limits)


def run(
    judge: Judge,
    code: str,
    given: str = "",
    expected: str = "",
    *,
    language: str = "python",
    limits: Limits = QUICK,
    checker: Checker = DEFAULT,
) -> GradeResult:
    """Judge a program by one test."""
    return judge.grade(ProblemSpec("one", Form.STDIN, (Test(given, expected),), limits, checker), code, language)


def call(
    judge: Judge,
    code: str,
    arguments: list[Any],
    expected: Any,
    *,
    types: tuple[str, ...] = (),
    returns: str = "",
    cls: str | None = "Solution",
    preamble: str = "",
    checker: Checker = DEFAULT,
) -> GradeResult:
    """Judge a function, or method, named `solve` by one test."""
    names = (*types, *[""] * (len(arguments) - len(types)))
    parameters = tuple(Param(f"p{place}", kind) for place, kind in enumerate(names))
    entry = Entry("solve", cls, parameters, returns, preamble)
    problem = ProblemSpec("call", Form.FUNCTION, (Test(arguments, expected),), QUICK, checker, entry)
    return judge.grade(problem, code, "python")


MUCH = 0.15  # of the machine: a judge error for want of a CPU takes a quarter of a run


def is_late(judge: Judge, problem: ProblemSpec, code: str, language: str) -> bool:
    """Whether a program is too slow. Nothing is said of it only if others had the CPUs: that it cannot bring about.

    Other work on the machine may have them at any time; the kernel's own count says whether it was so.
    """
    with others_time() as others:
        result = judge.grade(problem, code, language)
    if result.verdict is Verdict.JUDGE_ERROR:
        return others(result.cpu_ms / 1e3) > MUCH
    return result.verdict is Verdict.TIME_LIMIT
