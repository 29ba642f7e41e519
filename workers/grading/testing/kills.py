"""Which inputs catch which wrong programs: run them, and compare with what the references answered."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.judging.verdicts import Verdict
from app.domain.problems import ProblemSpec, Test
from app.domain.testgen.sampling.sample import Kind
from workers.grading.producer import Attempt, Decides, Producer
from workers.grading.referees import HelperFailed

_ENOUGH = 8  # inputs that catch a program; more say nothing new
_SLOW_ONES = 3  # of the largest inputs, tried on what nothing else catches
_LEAST_MS, _TIMES = 300.0, 10.0  # a mutant may take so many times the references' time before it counts as caught


@dataclass(frozen=True, slots=True)
class Answered:
    """A valid input with its answer, and the CPU milliseconds that the fastest reference took for it."""

    kind: Kind
    given: Any
    expected: Any
    cpu_ms: float


def caught(decides: Decides, attempt: Attempt, test: Answered) -> bool:
    """Whether an attempt shows that its program is wrong. Raises HelperFailed where the interactor fails by itself."""
    if attempt.verdict is Verdict.JUDGE_ERROR:
        raise HelperFailed(attempt.note)
    return not attempt.answered or not decides(Test(test.given, test.expected), attempt.value)


def catching(
    producer: Producer,
    problem: ProblemSpec,
    decides: Decides,
    code: str,
    language: str,
    tests: Sequence[Answered],
    seed: int,
) -> list[int] | None:
    """Places of tests that catch a mutant, not necessarily all of them; None when it does not compile.

    Small tests first, in an order of its own; large ones only if those do not catch it.
    """
    quick = [place for place, test in enumerate(tests) if test.kind is not Kind.SLOW]
    slow = [place for place, test in enumerate(tests) if test.kind is Kind.SLOW]
    random.Random(seed).shuffle(quick)  # noqa: S311  # tests, not secrets
    quick.sort(key=lambda place: tests[place].kind is Kind.EXTREME)
    slow.sort(key=lambda place: -tests[place].cpu_ms)
    catches: list[int] = []
    for places in (quick, slow[:_SLOW_ONES]):
        most = max((tests[place].cpu_ms for place in places), default=0.0)
        factor = max(_LEAST_MS, _TIMES * most) / problem.limits.time_ms
        for place, attempt in _attempts(producer, problem, code, language, tests, places, min(1.0, factor)):
            if attempt.verdict is Verdict.COMPILE_ERROR:
                return None
            if caught(decides, attempt, tests[place]):
                catches.append(place)
            # One that hangs hangs again: the first time says it.
            if len(catches) >= _ENOUGH or attempt.verdict is Verdict.TIME_LIMIT:
                break
        if catches:
            break
    return catches


def _attempts(
    producer: Producer,
    problem: ProblemSpec,
    code: str,
    language: str,
    tests: Sequence[Answered],
    places: Sequence[int],
    time_factor: float,
) -> Iterator[tuple[int, Attempt]]:
    inputs = (tests[place].given for place in places)
    attempts = producer.attempts(problem, code, language, inputs, time_factor=time_factor)
    return zip(places, attempts, strict=False)


def rejecting(
    producer: Producer, problem: ProblemSpec, decides: Decides, code: str, language: str, tests: Sequence[Answered]
) -> list[int]:
    """Places of tests that a known-wrong program fails under the problem's own limits."""
    catches: list[int] = []
    places = list(range(len(tests)))
    for place, attempt in _attempts(producer, problem, code, language, tests, places, 1.0):
        if caught(decides, attempt, tests[place]):
            catches.append(place)
        if len(catches) >= _ENOUGH or attempt.verdict is Verdict.TIME_LIMIT:
            break
    return catches
