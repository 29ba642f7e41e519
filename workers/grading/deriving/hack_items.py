"""Hack items: known-wrong programs that pass the examples and fail on a short input, which is to be found."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.deriving.items import DerivedItemKind, DerivedItemSpec, canonical_json
from app.domain.deriving.programs import tidy_program
from app.domain.errors import JudgeError
from app.domain.judging.hacks import HACK_FORMS, SourceCode
from app.domain.judging.problem_file import problem_as_json
from app.domain.judging.verdicts import Verdict
from app.domain.problems import ProblemSpec, Test
from workers.grading.judge import Judge

MAX_HACK_ITEMS: Final = 2  # of a problem
_MAX_PROGRAMS, _MAX_REFERENCES, _MAX_INPUT_CHARS = 8, 2, 1000


def derive_hack_items(
    judge: Judge,
    problem: ProblemSpec,
    wrong: Sequence[str],
    references: Sequence[SourceCode],
    validator: SourceCode | None,
) -> list[DerivedItemSpec]:
    """Return items of these known-wrong Python programs; none without a validator and a reference.

    A program must pass the public tests and give a wrong answer to a short hidden one, so that an input can be found
    and none is shown. Raises JudgeError or SandboxUnavailable if the sandbox fails.
    """
    if validator is None or not references or problem.form not in HACK_FORMS:
        return []
    shown = tuple(test for test in problem.tests if test.visible)
    short = tuple(
        test for test in problem.tests if not test.visible and len(canonical_json(test.input)) <= _MAX_INPUT_CHARS
    )
    truth = {
        "problem": problem_as_json(problem),
        "validator": list(validator),
        "references": [list(reference) for reference in references[:_MAX_REFERENCES]],
    }

    def grade(code: str, tests: tuple[Test, ...]) -> Verdict:
        verdict = judge.grade(replace(problem, tests=tests), code, "python").verdict
        if verdict is Verdict.JUDGE_ERROR:
            raise JudgeError(f"{problem.id}: a known-wrong program could not be judged")
        return verdict

    items: list[DerivedItemSpec] = []
    for code in _chosen(wrong) if shown and short else ():
        if grade(code, shown) is Verdict.ACCEPTED and grade(code, short) is Verdict.WRONG_ANSWER:
            items.append(DerivedItemSpec(DerivedItemKind.HACK, {"code": code}, truth))
        if len(items) == MAX_HACK_ITEMS:
            break
    return items


def _chosen(programs: Sequence[str]) -> list[str]:
    """Return the first few different programs by digest, without comments, which may say what is wrong."""
    texts = {text for code in programs if (text := tidy_program(code)) is not None}
    return sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())[:_MAX_PROGRAMS]
