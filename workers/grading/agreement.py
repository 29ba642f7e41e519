"""Whether programs that were accepted agree on inputs that no test has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.errors import InvalidProblem
from app.domain.imports import ImportedProgram
from app.domain.problems import ProblemSpec, Test
from workers.grading.producer import Attempt, Producer

_SHOWN = 300  # characters of an input or an answer


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An input on which two accepted programs, by their names, gave answers that cannot both be right."""

    given: str
    programs: tuple[str, str]
    answers: tuple[str, str]


def disagreement(
    producer: Producer, problem: ProblemSpec, programs: Sequence[ImportedProgram], inputs: Sequence[Any]
) -> Disagreement | None:
    """The first input on which two programs that end as they should disagree by the problem's own checker.

    None when there is none, when nothing can be compared, or when fewer than two of the programs can be run here. A
    program that breaks a limit or fails says nothing. Raises JudgeError or SandboxUnavailable when the sandbox fails.
    """
    results: list[tuple[str, list[Attempt]]] = []
    for program in programs:
        try:
            results.append((program.name, list(producer.attempts(problem, program.code, program.language, inputs))))
        except InvalidProblem:  # its language is not judged here
            continue
    try:
        with producer.deciding(problem) as decides:
            for at, input_ in enumerate(inputs):
                answered = [(name, attempts[at].value) for name, attempts in results if attempts[at].answered]
                for name, value in answered[1:]:
                    first, expected = answered[0]
                    if not decides(Test(input_, expected), value):
                        return Disagreement(_excerpt(input_), (first, name), (_excerpt(expected), _excerpt(value)))
    except InvalidProblem:
        return None
    return None


def _excerpt(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text)} characters)"
