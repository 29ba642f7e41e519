"""Runs of setters' programs on inputs: each is untrusted, runs in the sandbox, and costs time that is counted."""

import ast
import hashlib
import json
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

from app.domain.consensus.answers import AnswerId, SetterRole
from app.domain.errors import InvalidProblem, JudgeError
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, Form, Interactor, Limits, ProblemSpec, Test
from app.domain.reasons import Reason, error_reason
from workers.grading.answering_judge import AnswerCheck, AnsweringJudge, Attempt
from workers.grading.graders import HelperFailed
from workers.grading.run_verdict import CompileError
from workers.grading.testing.inputs import with_arguments

_Result = TypeVar("_Result")
_LATE = (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT)
_MAX_LATE = 3  # attempts of a program that took too long: after them it is not run on larger inputs
HELPER_MS: Final = 3000  # for validators and generators, which have little work
_HELPER = Limits(time_ms=HELPER_MS, memory_mb=1024, output_kb=32_768)


class TimeBudgetExceeded(Exception):
    """The end of a problem's judge seconds."""


@dataclass(frozen=True, slots=True)
class SetterProgram:
    """A setter's program."""

    answer_id: AnswerId
    code: str
    language: str


class UnrunnableProgram(Exception):
    """The reason why a program cannot be run at all."""


class DeciderFailed(HelperFailed):
    """The failure of a checker or interactor with a right program, with its place among those that decide."""

    def __init__(self, place: int, words: str) -> None:
        super().__init__(words)
        self.place = place


class ProgramRunner:
    """A runner of the programs of one problem, within `most_s` seconds of judging in all.

    A validator or generator may take `helper_ms` for one input. Results are kept, so that a build that starts again
    without one setter's answer runs no other program a second time.
    """

    def __init__(
        self,
        judge: AnsweringJudge,
        problem: ProblemSpec,
        most_s: float,
        helper_ms: int = HELPER_MS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._began = clock, 0.0
        self.judge, self.problem = judge, problem
        self.interactors: tuple[Interactor, ...] = ()  # all that decide together on an interactive problem
        self.judge_s = 0.0
        self._most_s = most_s
        self._results: dict[Hashable, Any] = {}
        limits = replace(_HELPER, time_ms=helper_ms)
        self._texts = replace(problem, id=f"{problem.id}/setting", form=Form.STDIN, entry=None, limits=limits)

    @contextmanager
    def count_time(self) -> Iterator[None]:
        """Count the time of the block. Raises TimeBudgetExceeded if none is left to begin it."""
        if self.judge_s >= self._most_s:
            raise TimeBudgetExceeded
        self._began = self._clock()
        try:
            yield
        finally:
            self.judge_s += self._clock() - self._began

    def check_time(self) -> None:
        """Check, within a counted block, that more work may begin. Raises TimeBudgetExceeded if no time is left."""
        if self.judge_s + self._clock() - self._began >= self._most_s:
            raise TimeBudgetExceeded

    def run_once(self, key: Hashable, work: Callable[[], _Result]) -> _Result:
        """Return the result of `work`, which is called for the first request of each key only."""
        if key not in self._results:
            self._results[key] = work()
        result: _Result = self._results[key]
        return result

    def open_checker(self) -> AbstractContextManager[AnswerCheck]:
        """Yield a function that decides by the problem's checker whether an answer is right.

        In an interactive problem it finds no answer right, since outputs are not compared.
        """
        return self._decides(self.problem)

    @contextmanager
    def open_checkers(self, checkers: Sequence[Checker]) -> Iterator[list[AnswerCheck]]:
        """Yield such a function for each of these checkers, which raises DeciderFailed if its checker fails."""
        with ExitStack() as stack:
            opened = [stack.enter_context(self._decides(replace(self.problem, checker=one))) for one in checkers]
            yield [_with_place(place, decides) for place, decides in enumerate(opened)]

    def _decides(self, problem: ProblemSpec) -> AbstractContextManager[AnswerCheck]:
        if problem.form is Form.INTERACTIVE:
            return nullcontext(lambda _test, _answer: False)
        return self.judge.open_checker(problem)

    def input_text(self, given: Any) -> str:
        """Return an input as a validator or a brute force reads it."""
        return given if isinstance(given, str) else f"{json.dumps(given)}\n"

    def votes(self, validator: SetterProgram, inputs: Sequence[Any]) -> list[bool | None]:
        """Return whether a validator accepts each input; None if it broke a limit. Raises Broken."""
        attempts = self._attempts(self._texts, validator.code, validator.language, list(map(self.input_text, inputs)))
        return [None if a is None or a.exit_code is None else a.exit_code == 0 for a in attempts]

    def generate(self, generator: SetterProgram, seeds: Sequence[int], kind: str) -> list[str | None]:
        """Return a generator's output for each seed; None if it fails. Raises Broken."""
        texts = [f"{seed} {kind}\n" for seed in seeds]
        attempts = self._attempts(self._texts, with_arguments(generator.code), generator.language, texts)
        return [a.value if a is not None and a.answered and a.value else None for a in attempts]

    def answers(
        self, program: SetterProgram, inputs: Sequence[Any], time_ms: int | None = None
    ) -> list[Attempt | None]:
        """Run a brute force or a solution on inputs, smaller ones first; None for inputs it was not run on any more.

        `time_ms` replaces the problem's limit, which only the judge applies. Raises Broken, and
        DeciderFailed if a deciding interactor fails with any program.
        """
        limits = self.problem.limits if time_ms is None else replace(self.problem.limits, time_ms=time_ms)
        if self.problem.form is Form.INTERACTIVE:
            return [combine_attempts(program, row) for row in self.talks_with_all(program, inputs, time_ms)]
        entry = self.problem.entry
        # Solutions prove a suite and are judged by it, so they are called; a brute force may read the input as JSON.
        if (
            entry is None
            or program.answer_id.role is not SetterRole.BRUTE
            or _defines(program, entry.cls or entry.name)
        ):
            return self._attempts(replace(self.problem, limits=limits), program.code, program.language, inputs)
        limits = replace(_HELPER, time_ms=limits.time_ms)
        texts = list(map(self.input_text, inputs))
        attempts = self._attempts(replace(self._texts, limits=limits), program.code, program.language, texts)
        return [None if attempt is None else _as_value(attempt) for attempt in attempts]

    def talks_with_all(
        self, program: SetterProgram, inputs: Sequence[Any], time_ms: int | None = None
    ) -> list[tuple[Attempt | None, ...]]:
        """Return, for each input, a program's attempts with each deciding interactor. Raises as `answers` does."""
        limits = self.problem.limits if time_ms is None else replace(self.problem.limits, time_ms=time_ms)
        talks = [self.talks_with(interactor, program, inputs, limits) for interactor in self.interactors]
        for place, row in enumerate(talks):
            failed = [attempt for attempt in row if attempt is not None and attempt.verdict is Verdict.JUDGE_ERROR]
            if failed:
                raise DeciderFailed(place, failed[0].note)
        return list(zip(*talks, strict=True))

    def talks_with(
        self, interactor: Interactor, program: SetterProgram, inputs: Sequence[Any], limits: Limits | None = None
    ) -> list[Attempt | None]:
        """Run a program with one interactor, which reads the inputs; a failure of it is a judge error.

        None for inputs that the program was not run on any more. Raises Broken.
        """
        spec = replace(self.problem, interactor=interactor, limits=limits or self.problem.limits)
        return self._attempts(spec, program.code, program.language, inputs)

    def recite(
        self, interactor: Interactor, talks: Sequence[tuple[Any, str]], ends: Callable[[int, Attempt], bool]
    ) -> list[Attempt]:
        """Run an interactor on pairs of an input and a fixed text that is sent to it, until an attempt `ends` the row.

        Raises TimeBudgetExceeded.
        """
        spec = replace(self.problem, interactor=interactor)

        def work() -> list[Attempt]:
            attempts: list[Attempt] = []
            with closing(self.judge.recite(spec, talks)) as results:
                while not attempts or not ends(len(attempts) - 1, attempts[-1]):
                    with self.count_time():
                        attempt = next(results, None)
                    if attempt is None:
                        break
                    attempts.append(attempt)
            return attempts

        return self.run_once((interactor, digest_of(talks)), work)

    def _attempts(self, spec: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Attempt | None]:
        key = (spec.id, spec.form, spec.limits, spec.interactor, code, language, digest_of(inputs))
        return self.run_once(key, partial(self._run, spec, code, language, inputs))

    def _run(self, spec: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Attempt | None]:
        attempts: list[Attempt | None] = []
        late = 0
        with self.count_time():
            try:
                for attempt in self.judge.attempts(spec, code, language, inputs):
                    if attempt.verdict is Verdict.JUDGE_ERROR and spec.form is not Form.INTERACTIVE:
                        raise JudgeError(attempt.note)
                    attempts.append(attempt)
                    late += attempt.verdict in _LATE
                    if late >= _MAX_LATE or attempt.verdict is Verdict.JUDGE_ERROR:
                        break
            except CompileError as broken:
                raise UnrunnableProgram(Reason("not_compiled", cause=str(broken))) from broken
            except InvalidProblem as broken:
                raise UnrunnableProgram(error_reason(broken)) from broken
        return attempts + [None] * (len(inputs) - len(attempts))


def digest_of(values: Sequence[Any]) -> bytes:
    """Return the SHA-256 of these inputs as JSON."""
    digest = hashlib.sha256()
    for value in values:
        digest.update(json.dumps(value).encode() + b"\n")
    return digest.digest()


def was_late(attempt: Attempt | None) -> bool:
    """Return whether an attempt exceeded a limit; one that was not made follows others that did."""
    return attempt is None or attempt.verdict in _LATE


def _with_place(place: int, decides: AnswerCheck) -> AnswerCheck:
    def decides_or_names(test: Test, answer: Any) -> bool:
        try:
            return decides(test, answer)
        except HelperFailed as failed:
            raise DeciderFailed(place, error_reason(failed)) from failed

    return decides_or_names


def combine_attempts(program: SetterProgram, row: Sequence[Attempt | None]) -> Attempt | None:
    """Combine a program's attempts with all deciding interactors: right if all accept it, wrong if all refuse it.

    If they differ, its answer is unlike any other program's, so that it counts as dissent.
    """
    late = [attempt for attempt in row if was_late(attempt)]
    if late:
        return late[0]
    attempts = [attempt for attempt in row if attempt is not None]
    if all(attempt.answered for attempt in attempts):
        return replace(attempts[0], value="")
    if all(attempt.verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR) for attempt in attempts):
        return attempts[0]
    return replace(attempts[0], verdict=Verdict.ACCEPTED, value=f"interactors differ about {program.answer_id}")


def _defines(program: SetterProgram, name: str) -> bool:
    """Return whether a Python program defines the entry; one that does not reads the arguments as JSON."""
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.parse(program.code)
        return any(isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name for node in ast.walk(tree))
    return False


def _as_value(attempt: Attempt) -> Attempt:
    """Return an attempt with its printed JSON parsed."""
    if not attempt.answered:
        return attempt
    try:
        return replace(attempt, value=json.loads(attempt.value))
    except (ValueError, RecursionError):
        return replace(attempt, verdict=Verdict.WRONG_ANSWER, value=None, note="it printed no JSON value")
