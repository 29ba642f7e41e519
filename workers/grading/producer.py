"""What programs answer, instead of whether it is right: how tests get their expected outputs."""

import contextlib
import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from app.domain.errors import InvalidProblem, SandboxUnavailable
from app.domain.judging.checkers import compare_text, text_bytes
from app.domain.judging.values import read_value
from app.domain.judging.verdicts import Verdict
from app.domain.problems import CheckerKind, Form, ProblemSpec, Test
from workers.grading.calls import compare
from workers.grading.checking import (
    OWN_TESTLIB,
    CheckedReferee,
    CheckerProgram,
    Helper,
    helper_of,
    testlib_at,
)
from workers.grading.interact import InteractiveReferee
from workers.grading.judge import Judge
from workers.grading.outcome import Allowance, CompileError, allowance, decide, explain
from workers.grading.referees import HelperFailed, Referee
from workers.grading.runner import AnyRunner, Runner, call_bytes
from workers.grading.sandbox.protocol import Bounds, Run, Sink
from workers.grading.sandbox.pump import Pump
from workers.grading.toolchains import known_languages
from workers.grading.turns import Host, alone

OUR_MAKING = OWN_TESTLIB.with_name("making.h")
_MOST_BYTES = 32 << 20  # of what such a program prints
_MOST_SAID = 1 << 20  # bytes of a dialogue that are kept
_MOST_BEGINS = 200  # of them, of one that nobody accepts
# Who reads on would wait for one that waits for the end.
_SAYS = """\
import os, sys
sys.stdout.write({words!r})
sys.stdout.flush()
os.close(1)
sys.stdin.read()
os._exit(0)
"""

Use = Callable[[Sequence[str], bytes], tuple[Run, bytes]]  # arguments and input in, the run and its output out
Decides = Callable[[Test, Any], bool]  # whether an answer is right for a test, whose own answer is


@dataclass(frozen=True, slots=True)
class Attempt:
    """What became of one input: a verdict as if any answer were right, the answer, and CPU milliseconds.

    `value` is text, or for the function form the returned value; None without an answer. `begins` is the first line of
    what was said to an interactor, whatever it made of that.
    """

    verdict: Verdict
    value: Any
    cpu_ms: float
    exit_code: int | None
    note: str
    begins: str = ""

    @property
    def answered(self) -> bool:
        """Whether it ended as it should, with an answer."""
        return self.verdict is Verdict.ACCEPTED


class Producer(Judge):
    """A judge that also hands out what a program answers. The programs stay as untrusted, and as confined, as ever."""

    def _host(self) -> Host:
        if self._tools is None:
            raise SandboxUnavailable("the sandbox has not passed its self-test")
        return Host(self.speed.factors(self._tools), partial(alone, self._settings.sandbox_root))

    def refusal(self, language: str) -> str | None:
        """Why a language is not judged here for now; None where it is."""
        return self.refused()[language] if self.find(language) is None else None

    def answers(self, problem: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Any]:
        """The program's answer to each input: text, or for the function form the returned value.

        The problem's own tests play no part. Raises InvalidProblem naming the first input on which the program
        breaks a limit, fails or gives no answer; JudgeError or SandboxUnavailable when the sandbox fails.
        """
        toolchain = self.find(language)
        if toolchain is None:
            raise InvalidProblem(f"{language} is not judged here: {self.refused()[language]}")
        host = self._host()
        limits = allowance(problem.limits, toolchain.language, 1.0, host.slowness.of(toolchain.language))
        source = text_bytes(code)
        with self._sandbox() as sandbox, self._runner(sandbox, toolchain, source, problem, host) as runner:
            return [
                _answer(runner, problem, input_, limits, host, number) for number, input_ in enumerate(inputs, start=1)
            ]

    def attempts(
        self, problem: ProblemSpec, code: str, language: str, inputs: Iterable[Any], *, time_factor: float = 1.0
    ) -> Iterator[Attempt]:
        """What the program makes of each input, one after another; the caller may stop at any of them.

        Of an interactive problem the interactor reads the input, and an answer is what the program said to it; it is
        there if the interactor accepts; one that fails whatever the program says is a judge error. Raises
        InvalidProblem where the language is not judged here; JudgeError or SandboxUnavailable when the sandbox fails.
        """
        toolchain = self.find(language)
        if toolchain is None:
            raise InvalidProblem(f"{language} is not judged here: {self.refused()[language]}")
        host, source = self._host(), text_bytes(code)
        limits = allowance(problem.limits, toolchain.language, time_factor, host.slowness.of(toolchain.language))
        with self._sandbox() as sandbox, self._runner(sandbox, toolchain, source, problem, host) as runner:
            if problem.form is not Form.INTERACTIVE:
                for input_ in inputs:
                    yield _attempt(runner, problem, input_, limits, host)
                return
            with self._referee(problem, b"", limits, sandbox, host, proving=False) as referee:
                for input_ in inputs:
                    yield _talk(runner, referee, input_)

    def recited(self, problem: ProblemSpec, talks: Iterable[tuple[Any, str]]) -> Generator[Attempt, None, None]:
        """How the interactor of an interactive problem takes words, each about an input, up to one that it fails with.

        They are said by a program of ours that hears nothing. What comes is as of `attempts`.
        """
        host = self._host()
        limits = allowance(problem.limits, known_languages()["python"], 1.0, host.slowness.of_ours)
        with (
            self._sandbox() as sandbox,
            self._called(sandbox, b"", problem, called=False) as runner,
            self._referee(problem, b"", limits, sandbox, host, proving=False) as referee,
        ):
            for input_, words in talks:
                runner.source = _SAYS.format(words=words).encode()
                attempt = _talk(runner, referee, input_)
                yield attempt
                if attempt.verdict is Verdict.JUDGE_ERROR:
                    return

    @contextlib.contextmanager
    def using(self, role: str, code: str, language: str, testlib: str | None = None) -> Iterator[Use]:
        """A program that makes or checks tests, compiled: run with arguments and an input, it gives its run and output.

        It includes `testlib`, or the installation's header. Raises InvalidProblem where it does not compile or its
        language is not judged here; JudgeError or SandboxUnavailable when the sandbox fails.
        """
        toolchain = self.find(language)
        if toolchain is None:
            raise InvalidProblem(f"{language} is not judged here: {self.refused()[language]}")
        helper, host = Helper(role, code, CheckerKind.TESTLIB, toolchain.language.name, ""), self._host()
        source = helper.source(testlib or self._testlib_for_making())
        with self._sandbox() as sandbox:
            try:
                runner = self._helping(sandbox, toolchain, source, host)
            except CompileError as error:
                raise InvalidProblem(f"it does not compile: {error}") from error
            with runner:
                yield partial(_used, runner, replace(self._room(helper, host).bounds, output_bytes=_MOST_BYTES), host)

    def _testlib_for_making(self) -> str:
        """The operator's header, or ours with what generators and validators call besides. Raises JudgeError."""
        header = testlib_at(self._settings.testlib)
        return header if self._settings.testlib else header + OUR_MAKING.read_text(encoding="utf-8")

    @contextlib.contextmanager
    def deciding(self, problem: ProblemSpec) -> Iterator[Decides]:
        """Who says by the problem's checker, a program or not, whether an answer is right for a test.

        To an interactive problem every answer is right that the interactor accepted. A checker program is asked once of
        the same answer to the same test. The caller is told JudgeError or SandboxUnavailable when the checker or its
        sandbox fails.
        """
        if problem.form is Form.INTERACTIVE:
            yield lambda _test, _answer: True
            return
        helper = helper_of(problem)
        if helper is None:
            yield partial(_decide, problem)
            return
        host = self._host()
        with self._sandbox() as sandbox, self._helper(sandbox, helper, host) as runner:
            checker = CheckerProgram(helper, runner, self._room(helper, host), host)
            known: dict[bytes, bool] = {}

            def decides(test: Test, answer: Any) -> bool:
                """Programs mostly give the same answers, and to start a checker takes longer than many programs."""
                texts = (text_bytes(test.input), text_bytes(test.expected), text_bytes(answer))
                key = hashlib.sha256(b"".join(hashlib.sha256(text).digest() for text in texts)).digest()
                if key not in known:
                    known[key] = checker.accepts(test, texts[-1])
                return known[key]

            yield decides

    def unsure(self, problem: ProblemSpec) -> str:
        """Why the program that decides on a problem's answers may not without references; "" where it may.

        A checker must come to an end with the jury's answers, an interactor with a program that says nothing: else
        programs could choose that it fails. Raises JudgeError or SandboxUnavailable when it cannot be run.
        """
        helper = helper_of(problem)
        if helper is None:
            return ""
        host = self._host()
        limits = allowance(problem.limits, known_languages()["python"], 1.0, host.slowness.of_ours)
        with self._sandbox() as sandbox, self._referee(problem, b"", limits, sandbox, host, proving=True) as referee:
            if not isinstance(referee, CheckedReferee | InteractiveReferee):
                return ""
            for number, test in enumerate(problem.tests, start=1):
                if not referee.works(test):
                    silence = "a program that says nothing" if problem.form is Form.INTERACTIVE else "the jury's answer"
                    return (
                        f"the {helper.role} fails with {silence} (test {number}), and no reference shows that it works"
                    )
        return ""


def _used(runner: AnyRunner, bounds: Bounds, host: Host, arguments: Sequence[str], stdin: bytes) -> tuple[Run, bytes]:
    pieces: list[bytes] = []

    def attempt(until: Bounds) -> Run:
        pieces.clear()
        with runner.start(until, pieces.append, stdin=stdin, arguments=arguments) as pump:
            return pump.run()

    return host.ran(attempt, bounds, runner.renew), b"".join(pieces)


def _decide(problem: ProblemSpec, test: Test, answer: Any) -> bool:
    if problem.entry is not None:
        return compare(problem.checker, problem.entry, test, answer)[0]
    comparison = compare_text(problem.checker, test.expected)
    comparison.feed(text_bytes(answer))
    return comparison.finish()


def _attempt(runner: Runner, problem: ProblemSpec, input_: Any, limits: Allowance, host: Host) -> Attempt:
    run, body = _run(runner, problem, input_, limits, host)
    verdict = decide(run, True, limits)  # noqa: FBT003  # nothing to compare with
    note = explain(run, verdict, limits)
    value = None
    if verdict is Verdict.ACCEPTED:
        try:
            value = _value(problem, body)
        except ValueError as wrong:
            verdict, note = Verdict.WRONG_ANSWER, str(wrong)
    return Attempt(verdict, value, run.cpu_ms, run.exit_code, note)


class _Overheard:
    """A runner of which is kept what its program says."""

    def __init__(self, runner: Runner) -> None:
        self._runner, self.said = runner, b""
        self.run, self.renew = runner.run, runner.renew

    def start(self, bounds: Bounds, sink: Sink) -> Pump:
        """Start one test, and listen."""

        def heard(piece: bytes) -> None:
            self.said += piece[: _MOST_SAID - len(self.said)]
            sink(piece)

        return self._runner.start(bounds, heard)


def _talk(runner: Runner, referee: Referee, input_: Any) -> Attempt:
    overheard = _Overheard(runner)
    try:
        judged = referee.judge(overheard, Test(input_, ""))
    except HelperFailed as failed:
        return Attempt(Verdict.JUDGE_ERROR, None, 0.0, None, str(failed))
    said = overheard.said.decode(errors="replace") if judged.verdict is Verdict.ACCEPTED else None
    begins = overheard.said[:_MOST_BEGINS].decode(errors="replace").lstrip().partition("\n")[0]
    return Attempt(judged.verdict, said, judged.run.cpu_ms, judged.run.exit_code, judged.note, begins)


def _answer(runner: Runner, problem: ProblemSpec, input_: Any, limits: Allowance, host: Host, number: int) -> Any:
    run, body = _run(runner, problem, input_, limits, host)
    verdict = decide(run, True, limits)  # noqa: FBT003  # nothing to compare with
    if verdict is not Verdict.ACCEPTED:
        raise InvalidProblem(f"input {number}: {verdict}: {explain(run, verdict, limits)}")
    try:
        return _value(problem, body)
    except ValueError as wrong:
        raise InvalidProblem(f"input {number}: {wrong}") from wrong


def _run(runner: Runner, problem: ProblemSpec, input_: Any, limits: Allowance, host: Host) -> tuple[Run, bytes]:
    pieces: list[bytes] = []
    entry = problem.entry
    stdin, call = (text_bytes(input_), None) if entry is None else (b"", call_bytes(entry, input_))

    def attempt(until: Bounds) -> Run:
        pieces.clear()
        return runner.run(until, pieces.append, stdin=stdin, call=call)

    bounds = replace(limits.bounds, cpu_ms=round(limits.cpu_ms))
    return host.ran(attempt, bounds, runner.renew), b"".join(pieces)


def _value(problem: ProblemSpec, body: bytes) -> Any:
    """The answer. Raises ValueError when it is none."""
    if problem.entry is None:
        return body.decode()
    if body[:1] != b"V":
        raise ValueError("it returned nothing that is an answer")
    return read_value(body[1:-1])
