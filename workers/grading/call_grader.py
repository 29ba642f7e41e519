"""The form for functions and classes: arguments go in, and a value comes out as bytes and is compared on this side."""

import sys
from dataclasses import replace
from typing import Any

from app.domain.judging.values import SizeBound, compare_value, count_marks, read_value
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Checker, Entry, Test
from workers.grading.graders import MAX_SHOWN_ANSWER_BYTES, JudgedTest
from workers.grading.run_verdict import ProgramLimits, decide
from workers.grading.runner import Runner, encode_call

ENDED_EARLY = "the program ended before it returned a value"
_FAILED_EXIT = 1 << 8
_NOTED = (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)


class CallGrader:
    """The form for one call of a function, or the calls of a class; the values leave the sandbox as bytes."""

    def __init__(self, checker: Checker, entry: Entry, limits: ProgramLimits) -> None:
        self._checker, self._entry, self._limits = checker, entry, limits

    def judge(self, runner: Runner, test: Test) -> JudgedTest:
        """Compare the returned value with the expected one; for a class, each method's result by its type."""
        room = SizeBound.of(test.expected)
        line = ValueLine(room.size, room.marks)
        run = runner.run(self._limits.bounds, line.feed, call=encode_call(self._entry, test.input))
        try:
            value, note = line.value(), ""
        except ValueError as unfit:
            right, note = False, str(unfit)
        else:
            right, note = compare_returned(self._checker, self._entry, test, value)
        if line.empty and run.status == 0:
            # It exited with 0 before it had an answer, which counts as a failed exit.
            run, note = replace(run, status=_FAILED_EXIT), ENDED_EARLY
        verdict = decide(run, right, self._limits)
        return JudgedTest(verdict, run, note if verdict in _NOTED else "", got=line.head)


def compare_returned(checker: Checker, entry: Entry, test: Test, value: Any) -> tuple[bool, str]:
    """Return whether a returned value is the expected one, and a note for people if it is not."""
    if entry.name:
        place = entry.output_param
        kind = entry.returns if place is None else entry.params[place].type
        return compare_value(checker, kind, value, test.expected), ""
    if not isinstance(value, list) or len(value) != len(test.expected):
        return False, ""
    for number, (name, one, other) in enumerate(zip(test.input[0], value, test.expected, strict=True), 1):
        method = entry.methods.get(name)
        if not compare_value(checker, method.returns if method is not None else "", one, other):
            return False, f"wrong answer at call {number}, {name}"
    return True, ""


class ValueLine:
    """A value on its way in: one line of V and JSON, or of T and the name of a type that is no answer.

    All else is a wrong answer. Bytes past `room`, the largest size of a right answer, are dropped; a value with more
    than `most_marks` holds too many values to be right.
    """

    def __init__(self, room: int, most_marks: int = sys.maxsize) -> None:
        self._room, self._most_marks = room, most_marks
        self._pieces: list[bytes] = []

    @property
    def empty(self) -> bool:
        """True if nothing was returned."""
        return not self._pieces

    @property
    def head(self) -> bytes:
        """The beginning of the returned value, as JSON; empty if nothing readable came."""
        line = b"".join(self._pieces)
        return line[1:MAX_SHOWN_ANSWER_BYTES].rstrip(b"\n") if line[:1] == b"V" else b""

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        if self._room >= 0:
            self._pieces.append(piece)
            self._room -= len(piece)

    def value(self) -> Any:
        """Return the value. Raises ValueError, with a note for people or without, if it is none."""
        if self._room < 0:
            raise ValueError("the returned value is too long to be right")
        line = b"".join(self._pieces)
        kind, body = line[:1], line[1:-1]
        if kind not in (b"V", b"T") or line[-1:] != b"\n":
            raise ValueError("" if self.empty else "the returned value is cut off")
        if kind == b"T":
            raise ValueError(f"returned a value that is no answer: {body.decode(errors='replace')[:80]}")
        if count_marks(body) > self._most_marks:
            raise ValueError("the returned value holds too much to be right")
        try:
            return read_value(body)
        except ValueError as error:
            raise ValueError(f"the returned value cannot be read: {error}") from error
