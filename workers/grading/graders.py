"""The interface that runs a program on one test and decides whether its answer is right, and its form for text.

call_grader.py has the form for returned values. Expected outputs stay outside the sandbox.
"""

from functools import partial
from io import FileIO
from typing import NamedTuple, Protocol

from app.domain.errors import JudgeError
from app.domain.judging.checkers import compare_text, text_bytes
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Test
from workers.grading.run_verdict import ProgramLimits, decide
from workers.grading.runner import Runner
from workers.grading.sandbox.protocol import ProgramRun, Sink
from workers.grading.sandbox.session import append, create_memory_file


class HelperFailed(JudgeError):
    """A failure of a helper to come to a verdict, which the judged program may have caused."""


class HelperUncompiled(JudgeError):
    """A helper that does not compile, so that another try is useless."""


class JudgedTest(NamedTuple):
    """The result of one test: verdict, run, and a note for people if the run alone explains too little.

    `unpacked`: a reference's value could not leave the sandbox or be compared outside, so the test ran beside it.
    `checker_failed`: the checker failed on this output alone, which is therefore wrong. `spared`: the expected values,
    by number, without which a reference passed the test as well. `got` is the beginning of the program's answer.
    """

    verdict: Verdict
    run: ProgramRun
    note: str = ""
    unpacked: bool = False
    checker_failed: bool = False
    spared: tuple[int, ...] = ()
    got: bytes = b""


class OutputHead:
    """A sink that passes bytes on and keeps the first of them."""

    def __init__(self, sink: Sink) -> None:
        self._sink, self.kept = sink, b""

    def feed(self, piece: bytes) -> None:
        """Pass the next bytes on."""
        if len(self.kept) < MAX_SHOWN_ANSWER_BYTES:
            self.kept += piece[: MAX_SHOWN_ANSWER_BYTES - len(self.kept)]
        self._sink(piece)


class Grader(Protocol):
    """The part of the judge that decides on one test of a problem at a time."""

    def judge(self, runner: Runner, test: Test) -> JudgedTest:
        """Run the program on a test and decide. Raises JudgeError or SandboxUnavailable if the sandbox fails."""


# To compare these may take longer than to write them, and a program must not wait for the judge.
_SLOW_KINDS = (CheckerKind.FLOAT, CheckerKind.UNORDERED)
_CHUNK_BYTES = 1 << 20
MAX_SHOWN_ANSWER_BYTES = 2000  # bytes of an answer that are kept to be shown


class TextGrader:
    """The form for text in and text out: compared as it comes, or afterwards if the comparison is slow."""

    def __init__(self, checker: Checker, limits: ProgramLimits) -> None:
        self._checker, self._limits = checker, limits

    def judge(self, runner: Runner, test: Test) -> JudgedTest:
        """Compare the program's output with the expected one."""
        comparison = compare_text(self._checker, test.expected)
        head = OutputHead(comparison.feed)
        if self._checker.kind in _SLOW_KINDS:
            run = self._output(runner, test, head)
        else:
            run = runner.run(self._limits.bounds, head.feed, stdin=text_bytes(test.input))
        return JudgedTest(decide(run, comparison.finish(), self._limits), run, got=head.kept)

    def _output(self, runner: Runner, test: Test, comparison: OutputHead) -> ProgramRun:
        with FileIO(create_memory_file(), "r+") as output:
            run = runner.run(self._limits.bounds, partial(append, output.fileno()), stdin=text_bytes(test.input))
            output.seek(0)
            while piece := output.read(_CHUNK_BYTES):
                comparison.feed(piece)
        return run
