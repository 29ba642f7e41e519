"""Disagreements between accepted programs on inputs that no test has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.errors import InvalidProblem
from app.domain.imports import ImportedProgram
from app.domain.problems import ProblemSpec, Test
from workers.grading.answering_judge import AnsweringJudge, Attempt

_MAX_EXCERPT_CHARS = 300  # of an input or an answer


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An input on which two accepted programs, given by name, gave answers that cannot both be right."""

    given: str
    programs: tuple[str, str]
    answers: tuple[str, str]


def find_disagreement(
    judge: AnsweringJudge, problem: ProblemSpec, programs: Sequence[ImportedProgram], inputs: Sequence[Any]
) -> Disagreement | None:
    """Return the first input on which two programs disagree by the problem's own checker.

    None if there is none, if answers cannot be compared, or if fewer than two of the programs can be run here.
    Programs that break a limit or fail are ignored. Raises JudgeError or SandboxUnavailable if the sandbox fails.
    """
    results: list[tuple[str, list[Attempt]]] = []
    for program in programs:
        try:
            results.append((program.name, list(judge.attempts(problem, program.code, program.language, inputs))))
        except InvalidProblem:  # its language is not judged here
            continue
    try:
        with judge.open_checker(problem) as decides:
            for at, input_ in enumerate(inputs):
                answered = [(name, attempts[at].value) for name, attempts in results if attempts[at].answered]
                for name, value in answered[1:]:
                    first_name, expected = answered[0]
                    if not decides(Test(input_, expected), value):
                        return Disagreement(_excerpt(input_), (first_name, name), (_excerpt(expected), _excerpt(value)))
    except InvalidProblem:
        return None
    return None


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _MAX_EXCERPT_CHARS else f"{text[:_MAX_EXCERPT_CHARS]}… ({len(text)} characters)"
