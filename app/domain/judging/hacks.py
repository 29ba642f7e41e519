"""Judging an answer that is to break a program: any legal input is right on which that program is wrong. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Protocol

from app.domain.errors import InvalidProblem, JudgeError, SandboxUnavailable
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.domain.problems import Checker, Form, Limits, ProblemSpec, Test, are_calls

LONGEST: Final = 10_000  # characters of an answer: what is written by hand is far shorter
FORMS: Final = (Form.STDIN, Form.FUNCTION, Form.CLASS)  # whose inputs can be written down
_VALIDATION: Final = Limits(time_ms=10_000, memory_mb=512, output_kb=64)


class Source(NamedTuple):
    """A program and its language."""

    language: str
    code: str


class Runs(Protocol):
    """What a judge does for it: verdicts on programs, and what a program answers to inputs."""

    def grade(
        self, problem: ProblemSpec, code: str | None, language: str, *, time_factor: float = 1.0
    ) -> GradeResult: ...

    def answers(self, problem: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Any]: ...

    def languages(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Hack:
    """A wrong program, the problem that it is for, without tests, and the programs by which an input is judged.

    The validator exits with 0 and prints nothing if an input is legal; it reads JSON where that is no text.
    """

    problem: ProblemSpec
    program: Source
    validator: Source
    references: tuple[Source, ...]

    def posed(self, answer: str) -> "ToBreak":
        """The runs that judge an answer. Raises ValueError where it is no input of the problem's form."""
        return ToBreak(self, input_in(answer, self.problem))


@dataclass(frozen=True, slots=True)
class ToBreak:
    """An input that may break a program, still to be run."""

    hack: Hack
    given: Any

    def judged(self, judge: Runs, time_factor: float) -> GradeResult:
        """Right if the input is legal, the references agree on it, and the program is not accepted with their answer.

        Where a reference fails or they differ, the answer is wrong and says so (`checker_failed`): who finds such an
        input must not thereby choose not to be counted. Judging it again overturns it once the problem is mended.
        """
        hack = self.hack
        legal = judge.grade(self._validation(), hack.validator.code, hack.validator.language)
        if legal.verdict is not Verdict.ACCEPTED:
            return _ended(legal, Verdict.WRONG_ANSWER, "the input is not legal")
        first, *others = hack.references
        try:
            [expected] = judge.answers(hack.problem, first.code, first.language, [self.given])
        except InvalidProblem as failed:
            if first.language not in judge.languages():
                return _unjudged(legal, str(failed))
            return _undecided(legal, f"a reference has no answer to a legal input: {failed}"[:200])
        except (JudgeError, SandboxUnavailable) as failed:
            return _unjudged(legal, str(failed))
        problem = replace(hack.problem, tests=(Test(self.given, expected),))
        for other in others:
            again = judge.grade(problem, other.code, other.language)
            if again.verdict is not Verdict.ACCEPTED:
                return _undecided(again, "the references differ on a legal input")
        broken = judge.grade(problem, hack.program.code, hack.program.language, time_factor=time_factor)
        if broken.verdict is Verdict.ACCEPTED:
            return _ended(broken, Verdict.WRONG_ANSWER, "the program is right on this input")
        return _ended(broken, Verdict.ACCEPTED, f"the program: {broken.verdict.value}")

    def _validation(self) -> ProblemSpec:
        text = self.given if isinstance(self.given, str) else f"{json.dumps(self.given)}\n"
        return ProblemSpec(
            f"{self.hack.problem.id}/validator", Form.STDIN, (Test(text, ""),), limits=_VALIDATION, checker=Checker()
        )


def input_in(answer: str, problem: ProblemSpec) -> Any:
    """The input that an answer writes down: text, or JSON in the form in which prompts show examples.

    That is an argument a line; of a class the names on one line and their arguments on the next. Raises ValueError.
    """
    if len(answer) > LONGEST:
        raise ValueError(f"longer than {LONGEST:,} characters")
    if problem.form is Form.STDIN:
        return answer.rstrip("\n") + "\n"
    try:
        values = [json.loads(line, parse_constant=_refused) for line in answer.splitlines() if line.strip()]
    except (ValueError, RecursionError) as wrong:
        raise ValueError("not one JSON value a line") from wrong
    if problem.form is Form.CLASS:
        if not are_calls(values):
            raise ValueError("not the names of calls and their arguments")
    elif problem.entry is None or len(values) != len(problem.entry.params):
        raise ValueError("not one value for each argument")
    return values


def _refused(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _unjudged(last: GradeResult, message: str) -> GradeResult:
    return replace(last, verdict=Verdict.JUDGE_ERROR, passed=0, total=1, tests=(), message=message[:200], got=None)


def _undecided(last: GradeResult, message: str) -> GradeResult:
    return replace(_ended(last, Verdict.WRONG_ANSWER, message), checker_failed=last.verdict is not Verdict.JUDGE_ERROR)


def _ended(last: GradeResult, verdict: Verdict, message: str) -> GradeResult:
    """The verdict on the answer, with the judge's own of the last run; that one's where the judge itself failed."""
    if last.verdict is Verdict.JUDGE_ERROR:
        return last
    return replace(
        last, verdict=verdict, passed=int(verdict is Verdict.ACCEPTED), total=1,
        tests=(TestOutcome(verdict, last.cpu_ms, 0.0, 0),), limit_mode=LimitMode.NONE, message=message, got=None,
    )  # fmt: skip
