"""Tests written for unittest, converted to calls and judged outside the sandbox if possible, else run in-process."""

import io
import json
import re
import secrets
import token
import tokenize
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from app.domain.errors import InvalidProblem, JudgeError
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, ProblemSpec, Test
from app.domain.unittests import assertions
from app.domain.unittests.assertions import ConvertedTest, DirectTest, RaisedError, ReturnedValue
from app.domain.unittests.evaluation import LibraryFloat, LibraryInt
from app.domain.unittests.perturbation import perturb_expected
from app.domain.unittests.reference import BESIDE_KEY, OWN_CLASS, SPARED_SEPARATOR, spared_values
from app.domain.unittests.used_names import find_uses, own_imports, uses_as_class
from workers.grading.call_grader import ENDED_EARLY, ValueLine
from workers.grading.child_process import run_in_child
from workers.grading.graders import JudgedTest
from workers.grading.host_lock import Host
from workers.grading.judged_program import JudgedProgram
from workers.grading.run_verdict import ProgramLimits, decide
from workers.grading.runner import Runner
from workers.grading.sandbox.protocol import ProgramRun
from workers.grading.starvation import MachineBusy, busy_reason, needs_retry, starved_by_others

_ROOM, _FACTS_ROOM = 4 << 20, 512 << 10
_MAX_DECIMAL_BITS = 10_000  # of an integer that JSON's readers still take as decimal digits
_FAILED_EXIT = 1 << 8
_NOTED = (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)
_NO_ENTRY, _HERE = Entry(""), Host()
_KEPT_INSIDE = "a returned value cannot be judged outside the program"
# Known means of programs that tamper with a test beside them.
_PATCHES = re.compile(
    rb"\bunittest\s*\.[\w.]{0,300}\s*=[^=]|\bTestCase\s*\.\s*\w+\s*=[^=]|setattr\s*\(\s*(?:unittest|builtins|TestCase)"
    rb"|\bsys\s*\.\s*_getframe|\bsys\s*\.\s*set(?:trace|profile)|\bgc\s*\.\s*get_|\bos\s*\.\s*_exit"
    rb"|\b__builtins__|\bbuiltins\s*\.\s*\w+\s*=[^=]|/proc/self|\bAssertionError\s*=[^=]"
)


def expand_tests(problem: ProblemSpec, offered: frozenset[str] = assertions.OFFERED_PACKAGES) -> ProblemSpec:
    """Return a unittest problem with one test for each test of its sources. Raises InvalidProblem.

    A test's `expected` may hold the result of a run of the reference: {"tests": 5, "assertions": {name: count},
    "beside": [names of tests whose values could not leave the program, and NAME#N for a test that it passes although
    the expected value N is another one]}.
    """
    tests: list[Test] = []
    for place, test in enumerate(problem.tests):
        parts = assertions.read_tests(test.input, problem.entry, offered)
        reference: Mapping[str, Any] = test.expected or {}
        if not _is_whole(parts) and reference.get("tests", len(parts)) != len(parts):
            raise InvalidProblem(f"{len(parts)} tests were found; the reference ran {reference['tests']}")
        decided = reference.get(BESIDE_KEY) or ()
        unknown = {name.partition(SPARED_SEPARATOR)[0] for name in decided} - {part.name for part in parts}
        if unknown:
            raise InvalidProblem(f"the source has no test {min(unknown)!r:.80} to run beside the program")
        for part in parts:
            case = assertions.as_kept_test(part) if isinstance(part, ConvertedTest) and part.name in decided else part
            case = _as_reference(case, reference) if isinstance(case, DirectTest) else case
            if isinstance(case, DirectTest):
                case = replace(case, spared=spared_values(case.name, decided))
            tests.append(Test((case, test.input, place), None, test.visible))
    return replace(problem, tests=tuple(tests))


def reference_decisions(problem: ProblemSpec, trial: JudgedProgram) -> tuple[tuple[int, str], ...]:
    """Return a reference's decisions on tests of an expanded problem: pairs of the source's place and a name."""
    spared = [(test, f"{SPARED_SEPARATOR}{number}") for test, number in trial.spared]
    decided = [(test, "") for test in trial.unpacked] + spared
    tests = ((problem.tests[test].input, end) for test, end in decided)
    return tuple((place, part.name + end) for (part, _, place), end in tests)


def _is_whole(parts: tuple[ConvertedTest | DirectTest, ...]) -> bool:
    return any(isinstance(part, DirectTest) and part.whole for part in parts)


def _as_reference(test: DirectTest, reference: Mapping[str, Any]) -> DirectTest:
    """Return a kept test with the counts of tests and assertions from a run of the reference."""
    least: Mapping[str, int] = reference.get("assertions") or {}
    if not test.whole:
        return replace(test, assertions=least.get(test.name, test.assertions))
    tests = reference.get("tests", test.tests)
    counted = sum(least.values()) if least else test.assertions
    return replace(test, tests=tests, assertions=counted, span=max(test.span, tests))


def has_in_process_tests(problem: ProblemSpec) -> bool:
    """Return whether some tests of an expanded problem run beside the program."""
    return any(isinstance(test.input, tuple) and isinstance(test.input[0], DirectTest) for test in problem.tests)


class _OptionalValueLine(ValueLine):
    """A value on its way in, or the message that the value could not leave the sandbox."""

    def __init__(self, room: int) -> None:
        super().__init__(room)
        self.room = self._left = room
        self._first = b""

    def feed(self, piece: bytes) -> None:
        """Take the next bytes."""
        self._first = self._first or piece[:1]
        self._left -= len(piece)
        super().feed(piece)

    @property
    def unpacked(self) -> bool:
        """True if the value did not leave the sandbox: it has no plain type, or it is too long to be read here."""
        return self._left < 0 or self._first == b"T"


class _UnpackedValue(Exception):
    """A value that cannot be judged on this side because it did not leave the sandbox."""


Blank = Callable[[], AbstractContextManager[Runner]]


class UnittestGrader:
    """The form for the tests of an expanded unittest problem.

    A value that cannot leave the sandbox is wrong, since a program could choose one to have the test run beside itself.
    Such a test runs there only if `proving`, and the result says so: the reference decides for all programs.
    """

    def __init__(
        self,
        entry: Entry | None,
        source: bytes,
        limits: ProgramLimits,
        blank: Blank,
        host: Host = _HERE,
        *,
        proving: bool = False,
    ) -> None:
        """Take `blank`, which opens a runner of an empty program to tell faults of the tests from the program's."""
        self._entry, self._limits, self._proving = entry or _NO_ENTRY, limits, proving
        self._blank, self._host = blank, host
        self._patches = _PATCHES.search(_code(source))

    def judge(self, runner: Runner, test: Test) -> JudgedTest:
        """Make a test's calls and check its assertions on the values, or run it in the program's interpreter."""
        part, source, _ = test.input
        if not isinstance(part, ConvertedTest):
            return self._beside(runner, part, source)
        judged = self._convert(runner, part, source)
        if judged.unpacked and self._proving:
            return self._beside(runner, assertions.as_kept_test(part), source)._replace(unpacked=True)
        return judged._replace(unpacked=False)

    def _convert(self, runner: Runner, part: ConvertedTest, source: str) -> JudgedTest:
        steps = [
            {
                "arguments": [pack(argument) for argument in step.arguments],
                "keywords": {name: pack(keyword) for name, keyword in step.keywords.items()},
                "raises": step.raises,
            }
            for step in part.steps
        ]
        line = _OptionalValueLine(max(_ROOM, 65536 + 8 * len(source)))
        call = {"imports": own_imports(source), "steps": steps, "room": line.room}
        # The program chooses the values that are compared here, and so how long that takes.
        read = partial(run_in_child, partial(_converted, part, line), self._host)
        return self._run(runner, part.name, call, line, read)

    def _beside(self, runner: Runner, part: DirectTest, source: str) -> JudgedTest:
        if self._patches is not None:
            reached = self._patches[0].decode(errors="replace")
            unrun = ProgramRun(status=0, cpu_ms=0.0, wall_ms=0.0, peak_kb=0)
            return JudgedTest(Verdict.WRONG_ANSWER, unrun, f"in-process grading refuses programs that use {reached!r}")
        judged, line = self._once(runner, part, source)
        if part.whole and _unready(line):
            self._try_tests(part, source)
        if judged.verdict is not Verdict.ACCEPTED:
            return judged
        return self._doubted(runner, part, source, judged, own=bool(line.value()["own"]))

    def _doubted(self, runner: Runner, part: DirectTest, source: str, judged: JudgedTest, *, own: bool) -> JudgedTest:
        """Return the verdict on a test that passed: wrong if it also passes with another expected value, or if the
        program returned a value whose own code answers the test.

        Values are exempt if a reference does the same with them, which `proving` finds out.
        """

        def in_doubt(late: tuple[JudgedTest, ValueLine]) -> bool:
            return needs_retry(late[0].run, late[0].verdict, _wider(self._limits, part.span).cpu_ms)

        spared = [OWN_CLASS] if own else []
        if own and OWN_CLASS not in part.spared and not self._proving:
            note = f"{part.name}: in-process grading: it returned a value that answers for itself"
            return judged._replace(verdict=Verdict.WRONG_ANSWER, note=note)
        for number, variant in enumerate(perturb_expected(source, part.name)):
            if number in part.spared:
                continue
            # A run that the clock cut may pass when it runs alone, by cheating or because a reference passes too.
            again, _ = self._host.try_with_retry(partial(self._once, runner, part, variant), in_doubt, runner.renew)[-1]
            if again.verdict is not Verdict.ACCEPTED and starved_by_others(again.run):
                raise MachineBusy(busy_reason(again.run))
            if again.verdict is Verdict.ACCEPTED and not self._proving:
                note = f"{part.name}: in-process grading: it passes whatever is expected"
                return judged._replace(verdict=Verdict.WRONG_ANSWER, note=note)
            if again.verdict is Verdict.ACCEPTED:
                spared.append(number)
        return judged._replace(spared=tuple(spared))

    def _once(self, runner: Runner, part: DirectTest, source: str) -> tuple[JudgedTest, ValueLine]:
        """Run a test beside a program; return its result and its report."""
        # The program has not seen this word when it starts, so it cannot make up a report without a search for it.
        word, line = secrets.token_hex(8), ValueLine(_FACTS_ROOM)
        call = {
            "tests": source, "test": part.name, "whole": part.whole, "word": word, "uses": asdict(find_uses(source)),
            "constructs": uses_as_class(source, self._entry.name),
        }  # fmt: skip
        return self._run(runner, part.name, call, line, partial(_ran, part, line, word), part.span), line

    def _try_tests(self, part: DirectTest, source: str) -> None:
        """Check that the tests can be run beside an empty program. Raises JudgeError if they cannot."""
        with self._blank() as runner:
            _, line = self._once(runner, part, source)
        names = ", ".join(str(name)[:40] for name in _unready(line)[:5])
        if names:
            raise JudgeError(f"the tests hold what looks like a test and cannot be run: {names}")

    def _run(
        self, runner: Runner, name: str, call: Mapping[str, Any], line: ValueLine, read: Callable[[], str | None],
        span: int = 1,
    ) -> JudgedTest:  # fmt: skip
        """Run one test; `read` returns why it fails, "" if it holds, and None if it cannot tell."""
        entry, limits = self._entry, _wider(self._limits, span)
        body = {"driver": None, "preamble": entry.preamble, "name": entry.name, "class": entry.cls, **call}
        run = runner.run(limits.bounds, line.feed, call=json.dumps(body).encode())
        note = "no answer" if line.empty else read()
        if line.empty and run.status == 0:
            run, note = replace(run, status=_FAILED_EXIT), ENDED_EARLY
        verdict = decide(run, note == "", limits)
        unpacked = note is None and verdict is Verdict.WRONG_ANSWER
        if unpacked:
            note = _KEPT_INSIDE
        if verdict is Verdict.RUNTIME_ERROR and note != ENDED_EARLY:
            note = ""  # the program's error message says more
        return JudgedTest(verdict, run, f"{name}: {note}" if verdict in _NOTED and note else "", unpacked)


def _wider(limits: ProgramLimits, times: int) -> ProgramLimits:
    """Return the limits with the time of so many tests that share one run."""
    bounds = replace(limits.bounds, cpu_ms=limits.bounds.cpu_ms * times, wall_ms=limits.bounds.wall_ms * times)
    return replace(limits, cpu_ms=limits.cpu_ms * times, wall_ms=limits.wall_ms * times, bounds=bounds)


def _converted(test: ConvertedTest, line: _OptionalValueLine) -> str:
    """Return the assertion that does not hold, "" if all do. Raises _UnpackedValue."""
    if line.unpacked:
        raise _UnpackedValue
    try:
        outcomes = [
            ReturnedValue(unpack(body)) if kind == "returned" else RaisedError(tuple(map(str, body)))
            for kind, body in line.value()
        ]
    except (ValueError, TypeError, KeyError) as unfit:
        return str(unfit)[:200] or "no answer"
    return assertions.find_failure(test, outcomes)


def _ran(test: DirectTest, line: ValueLine, word: str) -> str:
    """Return why a test that ran beside the program does not count; "" if it does."""
    try:
        facts = line.value()
        return _counts(test, facts) if facts["word"] == word else "in-process grading: this is no report of ours"
    except (ValueError, TypeError, KeyError, RecursionError) as unfit:
        return str(unfit)[:200] or "no answer"


def _unready(line: ValueLine) -> list[Any]:
    """Return the names that look like tests and were not run; none if the report cannot be read."""
    try:
        return list(line.value()["unready"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return []


def _counts(test: DirectTest, facts: Any) -> str:
    if facts["tampered"]:
        return f"in-process grading: {str(facts['tampered'][0])[:80]}"
    if test.whole and facts["unready"]:
        return "in-process grading: what looks like a test cannot be run"
    if facts["bad"] or facts["skipped"]:
        return "in-process grading: the test failed"
    if test.whole and (type(facts["tests"]) is not int or facts["tests"] < test.tests):
        return "in-process grading: fewer tests ran than there are"
    if type(facts["own"]) is not int or type(facts["assertions"]) is not int or facts["assertions"] < test.assertions:
        return "in-process grading: fewer assertions ran than the test makes"
    return ""


# --- a program's code without comments and docstrings -----------------------------------------------------------------


def _code(source: bytes) -> bytes:
    """Return a program without comments, docstrings and layout; unchanged if it cannot be read with certainty."""
    if b"__doc__" in source:  # it may run its docstrings
        return source
    plain = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        return "\n".join(map(_joined, _lines(plain))).encode()
    except (tokenize.TokenError, SyntaxError, ValueError, LookupError, RecursionError):
        return source


_LAYOUT = (token.COMMENT, token.NL, token.INDENT, token.DEDENT, token.ENCODING)


def _lines(source: bytes) -> Iterator[list[str]]:
    """Yield the tokens of each logical line that is more than a string. Raises what the tokenizer raises."""
    words: list[tokenize.TokenInfo] = []
    for piece in tokenize.tokenize(io.BytesIO(source).readline):
        if piece.type == token.ENCODING and piece.string != "utf-8":
            raise ValueError("what it says depends on how it is read")
        if piece.type == token.ERRORTOKEN:
            raise ValueError("what it says is not known")
        if piece.type in (token.NEWLINE, token.ENDMARKER):
            if any(word.type != token.STRING for word in words):
                yield [word.string for word in words]
            words = []
        elif piece.type not in _LAYOUT:
            words.append(piece)


def _joined(words: list[str]) -> str:
    line = ""
    for word in words:
        line += f" {word}" if line[-1:].isidentifier() and word[:1].isidentifier() else word
    return line


# --- plain values as JSON, in the form of driver.py -------------------------------------------------------------------

_LETTERS: Mapping[type, str] = {list: "l", tuple: "t", set: "s", frozenset: "f"}
_MAKERS: Mapping[str, Callable[[list[Any]], Any]] = {
    **{letter: kind for kind, letter in _LETTERS.items()},
    "d": lambda parts: dict(zip(parts[::2], parts[1::2], strict=True)),
    "q": deque,
    "g": iter,
    "k": lambda parts: dict.fromkeys(parts).keys(),
    "v": lambda parts: dict(enumerate(parts)).values(),
    "e": lambda parts: dict(parts).items(),
}


def pack(value: Any) -> Any:
    """Return a plain value as JSON: scalars as they are, containers as a list that begins with their kind."""
    match value:
        case dict():
            return ["d", *(pack(part) for pair in value.items() for part in pair)]
        case bytes():
            return ["b", value.hex()]
        case complex():
            return ["c", value.real, value.imag]
        case list() | tuple() | set() | frozenset():
            return [_LETTERS[type(value)], *map(pack, value)]
        case int() if value.bit_length() > _MAX_DECIMAL_BITS:
            return ["i", f"{value:x}"]
    return value


def unpack(value: Any) -> Any:
    """Return the value that was packed, here or by driver.py, which knows more kinds.

    Raises ValueError or TypeError for anything else.
    """
    if isinstance(value, dict):
        raise ValueError("the returned value cannot be read")  # noqa: TRY004  # the data is at fault, not the caller
    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind == "b":
        return bytes.fromhex(*parts)
    if kind == "a":
        return bytearray.fromhex(*parts)
    if kind == "c":
        return complex(*parts)
    if kind == "i":
        return int(str(parts[0]), 16)
    if kind == "n":
        return LibraryFloat(*parts) if isinstance(parts[0], float) else LibraryInt(*parts)
    parts = [unpack(part) for part in parts]
    if kind == "r":
        return range(*parts)
    if kind not in _MAKERS:
        raise ValueError("the returned value cannot be read")
    return _MAKERS[kind](parts)
