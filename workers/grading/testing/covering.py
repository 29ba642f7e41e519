"""How much of a right program its unittests reach."""

from functools import cache
from pathlib import Path
from typing import Final

from app.domain.problems import Entry, Form, Param, ProblemSpec
from app.domain.unittests.reference import Covered
from workers.grading.producer import Producer

_ENTRY: Final = Entry("covered", params=tuple(map(Param, ("code", "preamble", "source", "name"))), packages=True)


@cache
def _covered() -> str:
    return Path(__file__).with_name("covered.py").read_text(encoding="utf-8")


def covered(producer: Producer, problem: ProblemSpec, code: str) -> Covered | None:
    """The tests of a unittest problem that ran on a right Python program, and its branches that they took.

    None where that cannot be measured: the program fails while it is watched, or takes longer than the problem gives.
    Raises JudgeError or SandboxUnavailable when the sandbox fails.
    """
    entry = problem.entry
    if problem.form is not Form.UNITTEST or entry is None or len(problem.tests) != 1:
        return None
    watched = ProblemSpec("covered", Form.FUNCTION, (), problem.limits, entry=_ENTRY)
    given = [code, entry.preamble, problem.tests[0].input, entry.name]
    for attempt in producer.attempts(watched, _covered(), "python", [given]):
        if attempt.answered and isinstance(attempt.value, dict):
            return Covered(**attempt.value)
    return None
