"""A judge that also returns the answers of programs, by which tests get their expected outputs."""

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
from app.domain.reasons import Reason, error_reason
from workers.grading.call_grader import compare_returned
from workers.grading.checker_programs import (
    OWN_TESTLIB,
    CheckerGrader,
    CheckerProgram,
    Helper,
    helper_of,
    read_testlib,
)
from workers.grading.graders import Grader, HelperFailed
from workers.grading.host_lock import Host, exclusive_host
from workers.grading.interactive_grader import InteractiveGrader
from workers.grading.judge import Judge
from workers.grading.run_verdict import CompileError, ProgramLimits, decide, explain, program_limits
from workers.grading.runner import AnyRunner, Runner, encode_call
from workers.grading.sandbox.protocol import ProgramRun, SandboxBounds, Sink
from workers.grading.sandbox.pump import OutputPump
from workers.grading.toolchains import known_languages

GENERATOR_HEADER = OWN_TESTLIB.with_name("making.h")
_MAX_HELPER_OUTPUT_BYTES = 32 << 20
_MAX_DIALOGUE_BYTES = 1 << 20  # of a dialogue that are kept
_MAX_BEGINNING_BYTES = 200  # of a dialogue, as an attempt shows them
# It closes stdout, since an interactor that reads on would wait for this program, which waits for its end.
_SAYS = """\
import os, sys
sys.stdout.write({words!r})
sys.stdout.flush()
os.close(1)
sys.stdin.read()
os._exit(0)
"""

RunHelper = Callable[
    [Sequence[str], bytes], tuple[ProgramRun, bytes]
]  # arguments and input in, the run and its output out
AnswerCheck = Callable[[Test, Any], bool]  # returns whether an answer is right, by a test with a right expected answer


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of one input: a verdict as if any answer were right, the answer, and CPU milliseconds.

    `value` is text, or for the function form the returned value; None without an answer. `begins` is the first line
    that the program wrote to an interactor, even if that did not accept it.
    """

    verdict: Verdict
    value: Any
    cpu_ms: float
    exit_code: int | None
    note: str
    begins: str = ""

    @property
    def answered(self) -> bool:
        """True if the program ended normally, with an answer."""
        return self.verdict is Verdict.ACCEPTED


class AnsweringJudge(Judge):
    """A judge that also returns the answers of programs, which are untrusted and confined as in grading."""

    def _host(self) -> Host:
        if self._tools is None:
            raise SandboxUnavailable("the sandbox has not passed its self-test")
        return Host(self.speed.factors(self._tools), partial(exclusive_host, self._settings.sandbox_root))

    def refusal(self, language: str) -> str | None:
        """Return the reason why a language is not judged here for now; None if it is."""
        return self.refused_languages()[language] if self.find(language) is None else None

    def answers(self, problem: ProblemSpec, code: str, language: str, inputs: Sequence[Any]) -> list[Any]:
        """Return the program's answer to each input: text, or for the function form the returned value.

        The problem's own tests are not used. Raises InvalidProblem that names the first input on which the program
        breaks a limit, fails or gives no answer; JudgeError or SandboxUnavailable if the sandbox fails.
        """
        toolchain = self.find(language)
        if toolchain is None:
            raise InvalidProblem(f"{language} is not judged here: {self.refused_languages()[language]}")
        host = self._host()
        limits = program_limits(problem.limits, toolchain.language, 1.0, host.slowness.of(toolchain.language))
        source = text_bytes(code)
        with self._sandbox() as sandbox, self._runner(sandbox, toolchain, source, problem, host) as runner:
            return [
                _answer(runner, problem, input_, limits, host, number) for number, input_ in enumerate(inputs, start=1)
            ]

    def attempts(
        self, problem: ProblemSpec, code: str, language: str, inputs: Iterable[Any], *, time_factor: float = 1.0
    ) -> Iterator[Attempt]:
        """Yield the program's result on each input, one after another; the caller may stop at any of them.

        In an interactive problem the interactor reads the input, and the answer is the program's output to it, given
        if the interactor accepts; an interactor that fails with any program is a judge error. Raises InvalidProblem if
        the language is not judged here; JudgeError or SandboxUnavailable if the sandbox fails.
        """
        toolchain = self.find(language)
        if toolchain is None:
            raise InvalidProblem(f"{language} is not judged here: {self.refused_languages()[language]}")
        host, source = self._host(), text_bytes(code)
        limits = program_limits(problem.limits, toolchain.language, time_factor, host.slowness.of(toolchain.language))
        with self._sandbox() as sandbox, self._runner(sandbox, toolchain, source, problem, host) as runner:
            if problem.form is not Form.INTERACTIVE:
                for input_ in inputs:
                    yield _attempt(runner, problem, input_, limits, host)
                return
            with self._referee(problem, b"", limits, sandbox, host, proving=False) as referee:
                for input_ in inputs:
                    yield _talk(runner, referee, input_)

    def recite(self, problem: ProblemSpec, talks: Iterable[tuple[Any, str]]) -> Generator[Attempt, None, None]:
        """Yield an interactor's results on pairs of an input and a text, up to one with which it fails.

        A program of ours prints the text and reads nothing. The results are those of `attempts`.
        """
        host = self._host()
        limits = program_limits(problem.limits, known_languages()["python"], 1.0, host.slowness.of_ours)
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
    def open_helper(self, role: str, code: str, language: str, testlib: str | None = None) -> Iterator[RunHelper]:
        """Compile a program that makes or checks tests; yield a function of its arguments and input that runs it.

        It includes `testlib`, or the installation's header. Raises InvalidProblem if it does not compile or its
        language is not judged here; JudgeError or SandboxUnavailable if the sandbox fails.
        """
        toolchain = self.find(language)
        if toolchain is None:
            raise InvalidProblem(f"{language} is not judged here: {self.refused_languages()[language]}")
        helper, host = Helper(role, code, CheckerKind.TESTLIB, toolchain.language.name, ""), self._host()
        source = helper.source(testlib or self._testlib_for_making())
        with self._sandbox() as sandbox:
            try:
                runner = self._helping(sandbox, toolchain, source, host)
            except CompileError as error:
                raise InvalidProblem(f"it does not compile: {error}") from error
            with runner:
                bounds = replace(self._room(helper, host).bounds, output_bytes=_MAX_HELPER_OUTPUT_BYTES)
                yield partial(_run_helper, runner, bounds, host)

    def _testlib_for_making(self) -> str:
        """Return the operator's header, or ours with the calls of generators and validators. Raises JudgeError."""
        header = read_testlib(self._settings.testlib)
        return header if self._settings.testlib else header + GENERATOR_HEADER.read_text(encoding="utf-8")

    @contextlib.contextmanager
    def open_checker(self, problem: ProblemSpec) -> Iterator[AnswerCheck]:
        """Yield a function that decides by the problem's checker whether an answer is right for a test.

        In an interactive problem every answer that the interactor accepted is right. A checker program runs once for
        the same answer to the same test. The function raises JudgeError or SandboxUnavailable if the checker or its
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
            verdicts: dict[bytes, bool] = {}

            def decides(test: Test, answer: Any) -> bool:
                """Remember verdicts: programs mostly give the same answers, and a checker takes long to start."""
                texts = (text_bytes(test.input), text_bytes(test.expected), text_bytes(answer))
                key = hashlib.sha256(b"".join(hashlib.sha256(text).digest() for text in texts)).digest()
                if key not in verdicts:
                    verdicts[key] = checker.accepts(test, texts[-1])
                return verdicts[key]

            yield decides

    def find_helper_fault(self, problem: ProblemSpec) -> str:
        """Return why a problem's checker or interactor may not decide without references; "" if it may.

        A checker must end normally on the jury's answers, an interactor on a program that prints nothing: else a
        program could choose to make it fail. Raises JudgeError or SandboxUnavailable if it cannot be run.
        """
        helper = helper_of(problem)
        if helper is None:
            return ""
        host = self._host()
        limits = program_limits(problem.limits, known_languages()["python"], 1.0, host.slowness.of_ours)
        with self._sandbox() as sandbox, self._referee(problem, b"", limits, sandbox, host, proving=True) as referee:
            if not isinstance(referee, CheckerGrader | InteractiveGrader):
                return ""
            for number, test in enumerate(problem.tests, start=1):
                if not referee.ends_by_itself(test):
                    fault = Reason("fails_silence" if problem.form is Form.INTERACTIVE else "fails_jury", {"n": number})
                    return Reason(helper.role, cause=fault)
        return ""


def _run_helper(
    runner: AnyRunner, bounds: SandboxBounds, host: Host, arguments: Sequence[str], stdin: bytes
) -> tuple[ProgramRun, bytes]:
    pieces: list[bytes] = []

    def attempt(until: SandboxBounds) -> ProgramRun:
        pieces.clear()
        with runner.start(until, pieces.append, stdin=stdin, arguments=arguments) as pump:
            return pump.run()

    return host.run_with_retry(attempt, bounds, runner.renew), b"".join(pieces)


def _decide(problem: ProblemSpec, test: Test, answer: Any) -> bool:
    if problem.entry is not None:
        return compare_returned(problem.checker, problem.entry, test, answer)[0]
    comparison = compare_text(problem.checker, test.expected)
    comparison.feed(text_bytes(answer))
    return comparison.finish()


def _attempt(runner: Runner, problem: ProblemSpec, input_: Any, limits: ProgramLimits, host: Host) -> Attempt:
    run, body = _run(runner, problem, input_, limits, host)
    verdict = decide(run, True, limits)  # noqa: FBT003  # there is nothing to compare with
    note = explain(run, verdict, limits)
    value = None
    if verdict is Verdict.ACCEPTED:
        try:
            value = _value(problem, body)
        except ValueError as wrong:
            verdict, note = Verdict.WRONG_ANSWER, str(wrong)
    return Attempt(verdict, value, run.cpu_ms, run.exit_code, note)


class _RecordingRunner:
    """A runner that keeps the output of its program."""

    def __init__(self, runner: Runner) -> None:
        self._runner, self.output = runner, b""
        self.run, self.renew = runner.run, runner.renew

    def start(self, bounds: SandboxBounds, sink: Sink) -> OutputPump:
        """Start one test, and record its output."""

        def record(piece: bytes) -> None:
            self.output += piece[: _MAX_DIALOGUE_BYTES - len(self.output)]
            sink(piece)

        return self._runner.start(bounds, record)


def _talk(runner: Runner, referee: Grader, input_: Any) -> Attempt:
    recording = _RecordingRunner(runner)
    try:
        judged = referee.judge(recording, Test(input_, ""))
    except HelperFailed as failed:
        return Attempt(Verdict.JUDGE_ERROR, None, 0.0, None, error_reason(failed))
    value = recording.output.decode(errors="replace") if judged.verdict is Verdict.ACCEPTED else None
    begins = recording.output[:_MAX_BEGINNING_BYTES].decode(errors="replace").lstrip().partition("\n")[0]
    return Attempt(judged.verdict, value, judged.run.cpu_ms, judged.run.exit_code, judged.note, begins)


def _answer(runner: Runner, problem: ProblemSpec, input_: Any, limits: ProgramLimits, host: Host, number: int) -> Any:
    run, body = _run(runner, problem, input_, limits, host)
    verdict = decide(run, True, limits)  # noqa: FBT003  # there is nothing to compare with
    if verdict is not Verdict.ACCEPTED:
        raise InvalidProblem(f"input {number}: {verdict}: {explain(run, verdict, limits)}")
    try:
        return _value(problem, body)
    except ValueError as wrong:
        raise InvalidProblem(f"input {number}: {wrong}") from wrong


def _run(
    runner: Runner, problem: ProblemSpec, input_: Any, limits: ProgramLimits, host: Host
) -> tuple[ProgramRun, bytes]:
    pieces: list[bytes] = []
    entry = problem.entry
    stdin, call = (text_bytes(input_), None) if entry is None else (b"", encode_call(entry, input_))

    def attempt(until: SandboxBounds) -> ProgramRun:
        pieces.clear()
        return runner.run(until, pieces.append, stdin=stdin, call=call)

    bounds = replace(limits.bounds, cpu_ms=round(limits.cpu_ms))
    return host.run_with_retry(attempt, bounds, runner.renew), b"".join(pieces)


def _value(problem: ProblemSpec, body: bytes) -> Any:
    """Return the answer in a program's output. Raises ValueError if it is none."""
    if problem.entry is None:
        return body.decode()
    if body[:1] != b"V":
        raise ValueError("it returned nothing that is an answer")
    return read_value(body[1:-1])
