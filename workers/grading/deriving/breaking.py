"""Known-wrong programs that a short input breaks, and the examples do not: what is asked is to find such an input."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.deriving.items import Derived, Kind, canonical
from app.domain.deriving.programs import tidied
from app.domain.errors import JudgeError
from app.domain.judging.hacks import FORMS, Source
from app.domain.judging.problem_file import written
from app.domain.judging.verdicts import Verdict
from app.domain.problems import ProblemSpec, Test
from workers.grading.judge import Judge

MOST_ITEMS: Final = 2  # of a problem
_TRIED, _REFERENCES, _SHORT = 8, 2, 1000  # programs, programs, characters of an input


def breakable(
    judge: Judge, problem: ProblemSpec, wrong: Sequence[str], references: Sequence[Source], validator: Source | None
) -> list[Derived]:
    """Items of these known-wrong Python programs; none where nothing tells which inputs are legal.

    A program is taken that passes the public tests and gives a wrong answer to a short hidden one, so that there is an
    input to be found, and none is shown. Raises JudgeError or SandboxUnavailable when the sandbox fails.
    """
    if validator is None or not references or problem.form not in FORMS:
        return []
    shown = tuple(test for test in problem.tests if test.visible)
    short = tuple(test for test in problem.tests if not test.visible and len(canonical(test.input)) <= _SHORT)
    truth = {
        "problem": written(problem),
        "validator": list(validator),
        "references": [list(reference) for reference in references[:_REFERENCES]],
    }

    def says(code: str, tests: tuple[Test, ...]) -> Verdict:
        verdict = judge.grade(replace(problem, tests=tests), code, "python").verdict
        if verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(f"{problem.id}: a known-wrong program could not be judged")
        return verdict

    found: list[Derived] = []
    for code in _chosen(wrong) if shown and short else ():
        if says(code, shown) is Verdict.ACCEPTED and says(code, short) is Verdict.WRONG_ANSWER:
            found.append(Derived(Kind.HACK, {"code": code}, truth))
        if len(found) == MOST_ITEMS:
            break
    return found


def _chosen(programs: Sequence[str]) -> list[str]:
    """Without comments, which say what is wrong; the first few by digest, so that nobody chooses; alike ones once."""
    texts = {text for code in programs if (text := tidied(code)) is not None}
    return sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())[:_TRIED]
