"""The inputs that catch wrong programs, found by comparing their answers with those of the references."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.judging.verdicts import Verdict
from app.domain.problems import ProblemSpec, Test
from app.domain.testgen.sampling.sample import InputKind
from workers.grading.answering_judge import AnswerCheck, AnsweringJudge, Attempt
from workers.grading.graders import HelperFailed

_MAX_CATCHES = 8  # inputs that catch one program; more add nothing
_MAX_SLOW_INPUTS = 3  # of the slowest, tried on a mutant that no other input catches
_MIN_MUTANT_MS, _MUTANT_TIME_FACTOR = 300.0, 10.0  # time of a mutant, as a multiple of the references' time


@dataclass(frozen=True, slots=True)
class AnsweredInput:
    """A valid input with its answer, and the CPU milliseconds of the fastest reference on it."""

    kind: InputKind
    given: Any
    expected: Any
    cpu_ms: float


def is_caught(decides: AnswerCheck, attempt: Attempt, test: AnsweredInput) -> bool:
    """Return whether an attempt shows that its program is wrong. Raises HelperFailed if the interactor itself fails."""
    if attempt.verdict is Verdict.JUDGE_ERROR:
        raise HelperFailed(attempt.note)
    return not attempt.answered or not decides(Test(test.given, test.expected), attempt.value)


def find_catching_tests(
    judge: AnsweringJudge,
    problem: ProblemSpec,
    decides: AnswerCheck,
    code: str,
    language: str,
    tests: Sequence[AnsweredInput],
    seed: int,
) -> list[int] | None:
    """Return places of tests that catch a mutant, perhaps not all of them; None if it does not compile.

    Quick tests run first, in an order that depends on the seed; slow ones only if these do not catch it.
    """
    quick = [place for place, test in enumerate(tests) if test.kind is not InputKind.SLOW]
    slow = [place for place, test in enumerate(tests) if test.kind is InputKind.SLOW]
    random.Random(seed).shuffle(quick)  # noqa: S311  # tests, not secrets
    quick.sort(key=lambda place: tests[place].kind is InputKind.EXTREME)
    slow.sort(key=lambda place: -tests[place].cpu_ms)
    catches: list[int] = []
    for places in (quick, slow[:_MAX_SLOW_INPUTS]):
        max_ms = max((tests[place].cpu_ms for place in places), default=0.0)
        factor = max(_MIN_MUTANT_MS, _MUTANT_TIME_FACTOR * max_ms) / problem.limits.time_ms
        for place, attempt in _attempts(judge, problem, code, language, tests, places, min(1.0, factor)):
            if attempt.verdict is Verdict.COMPILE_ERROR:
                return None
            if is_caught(decides, attempt, tests[place]):
                catches.append(place)
            # A mutant that hangs once would probably hang on other tests too.
            if len(catches) >= _MAX_CATCHES or attempt.verdict is Verdict.TIME_LIMIT:
                break
        if catches:
            break
    return catches


def _attempts(
    judge: AnsweringJudge,
    problem: ProblemSpec,
    code: str,
    language: str,
    tests: Sequence[AnsweredInput],
    places: Sequence[int],
    time_factor: float,
) -> Iterator[tuple[int, Attempt]]:
    inputs = (tests[place].given for place in places)
    attempts = judge.attempts(problem, code, language, inputs, time_factor=time_factor)
    return zip(places, attempts, strict=False)


def find_rejecting_tests(
    judge: AnsweringJudge,
    problem: ProblemSpec,
    decides: AnswerCheck,
    code: str,
    language: str,
    tests: Sequence[AnsweredInput],
) -> list[int]:
    """Return places of tests that a known-wrong program fails under the problem's own limits, perhaps not all."""
    catches: list[int] = []
    places = list(range(len(tests)))
    for place, attempt in _attempts(judge, problem, code, language, tests, places, 1.0):
        if is_caught(decides, attempt, tests[place]):
            catches.append(place)
        if len(catches) >= _MAX_CATCHES or attempt.verdict is Verdict.TIME_LIMIT:
            break
    return catches
