"""Who says whether one test's answer is right. Here: text that is compared; calls.py has values that are returned.

A referee runs the program on a test, by the runner it is given, and decides by what comes out. Expected outputs
stay on this side.
"""

from functools import partial
from io import FileIO
from typing import NamedTuple, Protocol

from app.domain.errors import JudgeError
from app.domain.judging.checkers import compare_text, text_bytes
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, CheckerKind, Test
from workers.grading.outcome import Allowance, decide
from workers.grading.runner import Runner
from workers.grading.sandbox.protocol import Run, Sink
from workers.grading.sandbox.session import append, memory_file


class HelperFailed(JudgeError):
    """A helper that came to no verdict, which may be what the program made of it."""


class HelperUncompiled(JudgeError):
    """A helper that does not compile, and will not when it is tried again."""


class Judged(NamedTuple):
    """One test: its verdict, what the kernel said of the run, and a word for people where the run says too little.

    `unpacked`: a reference's value could not leave it, or not be compared outside of it, so the test ran beside it.
    `checker_failed`: the checker failed on this output alone, which is therefore wrong. `spared`: the expected values,
    by number, without which a reference passed the test as well. `got` is the beginning of what the program gave.
    """

    verdict: Verdict
    run: Run
    note: str = ""
    unpacked: bool = False
    checker_failed: bool = False
    spared: tuple[int, ...] = ()
    got: bytes = b""


class Head:
    """Passes bytes on, and keeps the first of them."""

    def __init__(self, sink: Sink) -> None:
        self._sink, self.kept = sink, b""

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        if len(self.kept) < MOST_GOT:
            self.kept += piece[: MOST_GOT - len(self.kept)]
        self._sink(piece)


class Referee(Protocol):
    """Judges the tests of one problem, one at a time."""

    def judge(self, runner: Runner, test: Test) -> Judged:
        """Run the program on a test and decide. Raises JudgeError or SandboxUnavailable when the sandbox fails."""


# Comparing these takes longer than writing them may: a program must not wait for us.
_SLOW_KINDS = (CheckerKind.FLOAT, CheckerKind.UNORDERED)
_PIECE = 1 << 20
MOST_GOT = 2000  # bytes of an answer that are kept to be told


class TextReferee:
    """Text in, text out, compared as it comes, or afterwards where that takes time."""

    def __init__(self, checker: Checker, limits: Allowance) -> None:
        self._checker, self._limits = checker, limits

    def judge(self, runner: Runner, test: Test) -> Judged:
        """Compare what the program prints with what is expected."""
        comparison = compare_text(self._checker, test.expected)
        head = Head(comparison.feed)
        if self._checker.kind in _SLOW_KINDS:
            run = self._output(runner, test, head)
        else:
            run = runner.run(self._limits.bounds, head.feed, stdin=text_bytes(test.input))
        return Judged(decide(run, comparison.finish(), self._limits), run, got=head.kept)

    def _output(self, runner: Runner, test: Test, comparison: Head) -> Run:
        with FileIO(memory_file(), "r+") as output:
            run = runner.run(self._limits.bounds, partial(append, output.fileno()), stdin=text_bytes(test.input))
            output.seek(0)
            while piece := output.read(_PIECE):
                comparison.feed(piece)
        return run
