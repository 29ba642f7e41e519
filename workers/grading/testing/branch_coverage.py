"""Branch coverage of a right program by its unittests."""

from functools import cache
from pathlib import Path
from typing import Final

from app.domain.problems import Entry, Form, Param, ProblemSpec
from app.domain.unittests.reference import BranchCoverage
from workers.grading.answering_judge import AnsweringJudge

_ENTRY: Final = Entry("count_branches", params=tuple(map(Param, ("code", "preamble", "source", "name"))), packages=True)


@cache
def _program() -> str:
    return Path(__file__).with_name("branch_counter.py").read_text(encoding="utf-8")


def measure_coverage(judge: AnsweringJudge, problem: ProblemSpec, code: str) -> BranchCoverage | None:
    """Measure how many tests of a unittest problem ran on a right Python program, and which branches they took.

    None if that cannot be measured: the program fails under measurement, or exceeds the problem's limits. Raises
    JudgeError or SandboxUnavailable if the sandbox fails.
    """
    entry = problem.entry
    if problem.form is not Form.UNITTEST or entry is None or len(problem.tests) != 1:
        return None
    measuring = ProblemSpec("count_branches", Form.FUNCTION, (), problem.limits, entry=_ENTRY)
    arguments = [code, entry.preamble, problem.tests[0].input, entry.name]
    for attempt in judge.attempts(measuring, _program(), "python", [arguments]):
        if attempt.answered and isinstance(attempt.value, dict):
            return BranchCoverage(**attempt.value)
    return None
