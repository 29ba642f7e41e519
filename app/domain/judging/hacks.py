"""Judging of answers that are to break a program: any legal input is right on which the program is wrong. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Protocol

from app.domain.errors import InvalidProblem, JudgeError, SandboxUnavailable
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.domain.problems import Checker, Form, Limits, ProblemSpec, Test, are_calls

MAX_INPUT_CHARS: Final = 10_000  # characters of an answer; handwritten inputs are far shorter
HACK_FORMS: Final = (Form.STDIN, Form.FUNCTION, Form.CLASS)  # forms whose inputs can be written down
_VALIDATOR_LIMITS: Final = Limits(time_ms=10_000, memory_mb=512, output_kb=64)


class SourceCode(NamedTuple):
    """Program with its language."""

    language: str
    code: str


class ProgramJudge(Protocol):
    """Interface of the judge: it grades programs and returns the answers of a program to inputs."""

    def grade(
        self, problem: ProblemSpec, code: str | None, language: str, *, time_factor: float = 1.0
    ) -> GradeResult: ...

    def answers(self, problem: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Any]: ...

    def languages(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Hack:
    """Wrong program, its problem without tests, and the programs that judge an input.

    The validator exits with 0 and prints nothing if an input is legal; it reads JSON unless the input is text.
    """

    problem: ProblemSpec
    program: SourceCode
    validator: SourceCode
    references: tuple[SourceCode, ...]

    def plan_run(self, answer: str) -> "HackRun":
        """Return the run that judges an answer. Raises ValueError if the answer is no input of the problem's form."""
        return HackRun(self, parse_hack_input(answer, self.problem))


@dataclass(frozen=True, slots=True)
class HackRun:
    """Input that may break a program, still to be run."""

    hack: Hack
    given: Any

    def grade_with(self, judge: ProgramJudge, time_factor: float) -> GradeResult:
        """Run the input: it is right if it is legal, the references agree on it, and the program fails their answer.

        If a reference fails or the references differ, the answer is wrong with `checker_failed`: otherwise
        models could avoid a score by such inputs. Judging again overturns the verdict once the problem is repaired.
        """
        hack = self.hack
        legal = judge.grade(self._validation_problem(), hack.validator.code, hack.validator.language)
        if legal.verdict is not Verdict.ACCEPTED:
            return _hack_result(legal, Verdict.WRONG_ANSWER, "the input is not legal")
        first, *others = hack.references
        try:
            [expected] = judge.answers(hack.problem, first.code, first.language, [self.given])
        except InvalidProblem as error:
            if first.language not in judge.languages():
                return _judge_failure(legal, str(error))
            return _reference_failure(legal, f"a reference has no answer to a legal input: {error}"[:200])
        except (JudgeError, SandboxUnavailable) as error:
            return _judge_failure(legal, str(error))
        problem = replace(hack.problem, tests=(Test(self.given, expected),))
        for other in others:
            checked = judge.grade(problem, other.code, other.language)
            if checked.verdict is not Verdict.ACCEPTED:
                return _reference_failure(checked, "the references differ on a legal input")
        broken = judge.grade(problem, hack.program.code, hack.program.language, time_factor=time_factor)
        if broken.verdict is Verdict.ACCEPTED:
            return _hack_result(broken, Verdict.WRONG_ANSWER, "the program is right on this input")
        return _hack_result(broken, Verdict.ACCEPTED, f"the program: {broken.verdict.value}")

    def _validation_problem(self) -> ProblemSpec:
        text = self.given if isinstance(self.given, str) else f"{json.dumps(self.given)}\n"
        return ProblemSpec(
            f"{self.hack.problem.id}/validator",
            Form.STDIN,
            (Test(text, ""),),
            limits=_VALIDATOR_LIMITS,
            checker=Checker(),
        )


def parse_hack_input(answer: str, problem: ProblemSpec) -> Any:
    """Return the input that an answer writes down: text, or JSON in the form in which prompts show examples.

    That is one argument a line; for a class the names on one line and their arguments on the next. Raises ValueError.
    """
    if len(answer) > MAX_INPUT_CHARS:
        raise ValueError(f"longer than {MAX_INPUT_CHARS:,} characters")
    if problem.form is Form.STDIN:
        return answer.rstrip("\n") + "\n"
    try:
        values = [json.loads(line, parse_constant=_refuse_constant) for line in answer.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise ValueError("not one JSON value a line") from error
    if problem.form is Form.CLASS:
        if not are_calls(values):
            raise ValueError("not the names of calls and their arguments")
    elif problem.entry is None or len(values) != len(problem.entry.params):
        raise ValueError("not one value for each argument")
    return values


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _judge_failure(last: GradeResult, message: str) -> GradeResult:
    return replace(last, verdict=Verdict.JUDGE_ERROR, passed=0, total=1, tests=(), message=message[:200], got=None)


def _reference_failure(last: GradeResult, message: str) -> GradeResult:
    return replace(
        _hack_result(last, Verdict.WRONG_ANSWER, message), checker_failed=last.verdict is not Verdict.JUDGE_ERROR
    )


def _hack_result(last: GradeResult, verdict: Verdict, message: str) -> GradeResult:
    """Return the verdict on the answer with the last run's measurements; the run's own result if the judge failed."""
    if last.verdict is Verdict.JUDGE_ERROR:
        return last
    return replace(
        last, verdict=verdict, passed=int(verdict is Verdict.ACCEPTED), total=1,
        tests=(TestOutcome(verdict, last.cpu_ms, 0.0, 0),), limit_mode=LimitMode.NONE, message=message, got=None,
    )  # fmt: skip
