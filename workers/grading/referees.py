"""Who says whether one test's answer is right: text that is compared, or a value that a function returned.

A referee runs the program on a test, by the runner it is given, and decides by what comes out. Expected outputs
stay on this side.
"""

from dataclasses import replace
from typing import NamedTuple, Protocol

from app.domain.checkers import compare_text, compare_value, read_value, text_bytes, value_room
from app.domain.problems import Checker, Entry, Test
from app.domain.verdicts import Verdict
from workers.grading.outcome import Allowance, decide
from workers.grading.runner import Runner, call_bytes
from workers.grading.sandbox.protocol import Run


class Judged(NamedTuple):
    """One test: its verdict, what the kernel said of the run, and a word for people where the run says too little."""

    verdict: Verdict
    run: Run
    note: str = ""


class Referee(Protocol):
    """Judges the tests of one problem, one at a time."""

    def judge(self, runner: Runner, test: Test) -> Judged:
        """Run the program on a test and decide. Raises JudgeError or SandboxUnavailable when the sandbox fails."""


class TextReferee:
    """Text in, text out, compared as it comes."""

    def __init__(self, checker: Checker, allowed: Allowance) -> None:
        self._checker, self._allowed = checker, allowed

    def judge(self, runner: Runner, test: Test) -> Judged:
        """Compare what the program prints with what is expected."""
        comparison = compare_text(self._checker, test.expected)
        run = runner.run(self._allowed.bounds, comparison.feed, stdin=text_bytes(test.input))
        return Judged(decide(run, comparison.finish(), self._allowed), run)


class CallReferee:
    """Arguments in, a value out, which leaves the sandbox as bytes."""

    def __init__(self, checker: Checker, entry: Entry, allowed: Allowance) -> None:
        self._checker, self._entry, self._allowed = checker, entry, allowed

    def judge(self, runner: Runner, test: Test) -> Judged:
        """Compare what the program's function returns with what is expected."""
        answer = _Answer(self._checker, self._entry, test)
        run = runner.run(self._allowed.bounds, answer.feed, call=call_bytes(self._entry, test.input))
        right, note = answer.judge()
        if answer.empty and run.status == 0:
            run = replace(run, status=1 << 8)  # it left with 0 before it had an answer: no more than a failed exit
            note = "the program ended before it returned a value"
        verdict = decide(run, right, self._allowed)
        return Judged(verdict, run, note if verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR) else "")


class _Answer:
    """A returned value on its way in: one line, V and JSON, or T and the name of a type that is no answer.

    Whatever else comes is a wrong answer. Bytes past any right answer's size are counted and dropped.
    """

    def __init__(self, checker: Checker, entry: Entry, test: Test) -> None:
        self._checker, self._entry, self._expected = checker, entry, test.expected
        self._room = value_room(test.expected)
        self._pieces: list[bytes] = []

    @property
    def empty(self) -> bool:
        """Whether nothing was returned at all."""
        return not self._pieces

    def feed(self, piece: bytes) -> None:
        if self._room >= 0:
            self._pieces.append(piece)
            self._room -= len(piece)

    def judge(self) -> tuple[bool, str]:
        """Whether the value is right, and why not."""
        if self._room < 0:
            return False, "the returned value is too long to be right"
        line = b"".join(self._pieces)
        kind, body = line[:1], line[1:-1]
        if kind not in (b"V", b"T") or line[-1:] != b"\n":
            return False, "" if self.empty else "the returned value is cut off"
        if kind == b"T":
            return False, f"returned a value that is no answer: {body.decode(errors='replace')[:80]}"
        try:
            value = read_value(body)
        except ValueError as error:
            return False, f"the returned value cannot be read: {error}"
        return compare_value(self._checker, self._entry.returns, value, self._expected), ""
