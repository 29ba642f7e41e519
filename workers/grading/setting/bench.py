"""Setters' programs on inputs: each is untrusted, runs in the sandbox, and costs time that is counted."""

import ast
import hashlib
import json
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeVar

from app.domain.errors import InvalidProblem, JudgeError
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, Form, Interactor, Limits, ProblemSpec, Test
from app.domain.setting.answers import Piece, Role
from workers.grading.outcome import CompileError
from workers.grading.producer import Attempt, Decides, Producer
from workers.grading.referees import HelperFailed
from workers.grading.testing.inputs import with_arguments

_Made = TypeVar("_Made")
_LATE = (Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT)
_MOST_LATE = 3  # of a program that took too long so often, larger inputs are not asked
HELPER_MS: Final = 3000  # for validators and generators, which have little to do
_HELPER = Limits(time_ms=HELPER_MS, memory_mb=1024, output_kb=32_768)


class OutOfTime(Exception):
    """The problem's judge seconds are used up."""


@dataclass(frozen=True, slots=True)
class Source:
    """A setter's program."""

    piece: Piece
    code: str
    language: str


class Broken(Exception):
    """A program that cannot be run at all, with the reason."""


class DeciderFailed(HelperFailed):
    """A checker or interactor that fails though nothing is wrong: which of those that decide, by its place."""

    def __init__(self, place: int, words: str) -> None:
        super().__init__(words)
        self.place = place


class Bench:
    """Where the programs of one problem run, within so many seconds together.

    `helper_ms` is what a validator or generator may take for one input. What a program has made of its inputs is kept:
    a play that begins anew without one answer asks the others nothing again.
    """

    def __init__(
        self,
        producer: Producer,
        problem: ProblemSpec,
        most_s: float,
        helper_ms: int = HELPER_MS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock, self._began = clock, 0.0
        self.producer, self.problem = producer, problem
        self.interactors: tuple[Interactor, ...] = ()  # those that decide together where programs talk
        self.judge_s = 0.0
        self._most_s = most_s
        self._made: dict[Hashable, Any] = {}
        limits = replace(_HELPER, time_ms=helper_ms)
        self._texts = replace(problem, id=f"{problem.id}/setting", form=Form.STDIN, entry=None, limits=limits)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is done inside. Raises OutOfTime where nothing is left to begin it."""
        if self.judge_s >= self._most_s:
            raise OutOfTime
        self._began = self._clock()
        try:
            yield
        finally:
            self.judge_s += self._clock() - self._began

    def check(self) -> None:
        """Within what is counted, whether more may be begun. Raises OutOfTime where nothing is left."""
        if self.judge_s + self._clock() - self._began >= self._most_s:
            raise OutOfTime

    def once(self, key: Hashable, work: Callable[[], _Made]) -> _Made:
        """What comes of work that is done the first time that it is asked for."""
        if key not in self._made:
            self._made[key] = work()
        made: _Made = self._made[key]
        return made

    def deciding(self) -> AbstractContextManager[Decides]:
        """Who says whether two answers are equally good: where programs talk, they are so to the letter only."""
        return self._decides(self.problem)

    @contextmanager
    def comparing(self, checkers: Sequence[Checker]) -> Iterator[list[Decides]]:
        """The same by each of these checkers. Raises DeciderFailed where one fails."""
        with ExitStack() as stack:
            known = [stack.enter_context(self._decides(replace(self.problem, checker=one))) for one in checkers]
            yield [_named(place, decides) for place, decides in enumerate(known)]

    def _decides(self, problem: ProblemSpec) -> AbstractContextManager[Decides]:
        if problem.form is Form.INTERACTIVE:
            return nullcontext(lambda _test, _answer: False)
        return self.producer.deciding(problem)

    def text(self, given: Any) -> str:
        """An input as a validator or a brute force reads it."""
        return given if isinstance(given, str) else f"{json.dumps(given)}\n"

    def votes(self, validator: Source, inputs: Sequence[Any]) -> list[bool | None]:
        """Whether a validator lets each input in; None where it broke a limit. Raises Broken."""
        attempts = self._attempts(self._texts, validator.code, validator.language, list(map(self.text, inputs)))
        return [None if a is None or a.exit_code is None else a.exit_code == 0 for a in attempts]

    def printed(self, generator: Source, seeds: Sequence[int], kind: str) -> list[str | None]:
        """What a generator prints for each seed; None where it fails. Raises Broken."""
        texts = [f"{seed} {kind}\n" for seed in seeds]
        attempts = self._attempts(self._texts, with_arguments(generator.code), generator.language, texts)
        return [a.value if a is not None and a.answered and a.value else None for a in attempts]

    def answers(self, program: Source, inputs: Sequence[Any], time_ms: int | None = None) -> list[Attempt | None]:
        """What a brute force or a solution answers, smaller inputs first; None where it was not asked any more.

        `time_ms` replaces the problem's limit, which is the judge's business. Raises Broken, and DeciderFailed where
        one of those that decide fails whatever the program says.
        """
        limits = self.problem.limits if time_ms is None else replace(self.problem.limits, time_ms=time_ms)
        if self.problem.form is Form.INTERACTIVE:
            return [together(program, row) for row in self.talked(program, inputs, time_ms)]
        entry = self.problem.entry
        # What proves a suite is judged by it, so solutions are called, in whatever language; brute forces may read.
        if entry is None or program.piece.role is not Role.BRUTE or _defines(program, entry.cls or entry.name):
            return self._attempts(replace(self.problem, limits=limits), program.code, program.language, inputs)
        limits = replace(_HELPER, time_ms=limits.time_ms)
        texts = list(map(self.text, inputs))
        attempts = self._attempts(replace(self._texts, limits=limits), program.code, program.language, texts)
        return [None if attempt is None else _as_value(attempt) for attempt in attempts]

    def talked(
        self, program: Source, inputs: Sequence[Any], time_ms: int | None = None
    ) -> list[tuple[Attempt | None, ...]]:
        """How a program does with each of those that decide, input by input. Raises as `answers` does."""
        limits = self.problem.limits if time_ms is None else replace(self.problem.limits, time_ms=time_ms)
        talks = [self.talks(interactor, program, inputs, limits) for interactor in self.interactors]
        for place, row in enumerate(talks):
            failed = [each for each in row if each is not None and each.verdict is Verdict.JUDGE_ERROR]
            if failed:
                raise DeciderFailed(place, failed[0].note)
        return list(zip(*talks, strict=True))

    def talks(
        self, interactor: Interactor, program: Source, inputs: Sequence[Any], limits: Limits | None = None
    ) -> list[Attempt | None]:
        """How a program does with one interactor, which reads the inputs; a judge error where that fails.

        None where it was not asked any more. Raises Broken.
        """
        spec = replace(self.problem, interactor=interactor, limits=limits or self.problem.limits)
        return self._attempts(spec, program.code, program.language, inputs)

    def recited(
        self, interactor: Interactor, talks: Sequence[tuple[Any, str]], ends: Callable[[int, Attempt], bool]
    ) -> list[Attempt]:
        """How an interactor takes words that are said whatever it answers, each about an input, until one `ends` it.

        Raises OutOfTime.
        """
        spec = replace(self.problem, interactor=interactor)

        def work() -> list[Attempt]:
            attempts: list[Attempt] = []
            with closing(self.producer.recited(spec, talks)) as heard:
                while not attempts or not ends(len(attempts) - 1, attempts[-1]):
                    with self.counted():
                        attempt = next(heard, None)
                    if attempt is None:
                        break
                    attempts.append(attempt)
            return attempts

        return self.once((interactor, digest_of(talks)), work)

    def _attempts(self, spec: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Attempt | None]:
        key = (spec.id, spec.form, spec.limits, spec.interactor, code, language, digest_of(inputs))
        return self.once(key, partial(self._run, spec, code, language, inputs))

    def _run(self, spec: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Attempt | None]:
        attempts: list[Attempt | None] = []
        late = 0
        with self.counted():
            try:
                for attempt in self.producer.attempts(spec, code, language, inputs):
                    if attempt.verdict is Verdict.JUDGE_ERROR and spec.form is not Form.INTERACTIVE:
                        raise JudgeError(attempt.note)
                    attempts.append(attempt)
                    late += attempt.verdict in _LATE
                    if late >= _MOST_LATE or attempt.verdict is Verdict.JUDGE_ERROR:
                        break
            except CompileError as broken:
                raise Broken(f"it does not compile: {broken}") from broken
            except InvalidProblem as broken:
                raise Broken(str(broken)) from broken
        return attempts + [None] * (len(inputs) - len(attempts))


def digest_of(values: Sequence[Any]) -> bytes:
    """What tells these inputs from others, in little room."""
    digest = hashlib.sha256()
    for value in values:
        digest.update(json.dumps(value).encode() + b"\n")
    return digest.digest()


def was_late(attempt: Attempt | None) -> bool:
    """Whether it took more than it may; what was not asked any more did before."""
    return attempt is None or attempt.verdict in _LATE


def _named(place: int, decides: Decides) -> Decides:
    def named(test: Test, answer: Any) -> bool:
        try:
            return decides(test, answer)
        except HelperFailed as failed:
            raise DeciderFailed(place, str(failed)) from failed

    return named


def together(program: Source, row: Sequence[Attempt | None]) -> Attempt | None:
    """How a program did with all that decide: right where all accept it, and wrong where all refuse it.

    Where they differ its answer is like no other program's, so that it counts as dissent.
    """
    late = [attempt for attempt in row if was_late(attempt)]
    if late:
        return late[0]
    known = [attempt for attempt in row if attempt is not None]
    if all(attempt.answered for attempt in known):
        return replace(known[0], value="")
    if all(attempt.verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR) for attempt in known):
        return known[0]
    return replace(known[0], verdict=Verdict.ACCEPTED, value=f"interactors differ about {program.piece}")


def _defines(program: Source, name: str) -> bool:
    """Whether a Python program has what is to be called; else it reads the arguments as JSON."""
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        tree = ast.parse(program.code)
        return any(isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name for node in ast.walk(tree))
    return False


def _as_value(attempt: Attempt) -> Attempt:
    """A printed JSON value as the value it is."""
    if not attempt.answered:
        return attempt
    try:
        return replace(attempt, value=json.loads(attempt.value))
    except (ValueError, RecursionError):
        return replace(attempt, verdict=Verdict.WRONG_ANSWER, value=None, note="it printed no JSON value")
