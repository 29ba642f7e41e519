"""Tests written for unittest: converted to calls and judged on this side where that can be, else run in-process."""

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from app.domain.assertions import Converted, Kept, Raised, Returned, failure, read_tests
from app.domain.errors import InvalidProblem
from app.domain.problems import Entry, ProblemSpec, Test
from app.domain.verdicts import Verdict
from workers.grading.calls import ENDED_EARLY, Line
from workers.grading.outcome import Allowance, decide
from workers.grading.referees import Judged
from workers.grading.runner import Runner
from workers.grading.sandbox.protocol import Run

_DRIVER = Path(__file__).parent / "sandbox" / "driver.py"
# Sets and dictionaries are made anew on this side, of keys that a program may choose to hash alike.
_ROOM = 512 << 10
_LARGE, _LARGE_INTEGERS = 1 << 60, 1000
_FAILED_EXIT = 1 << 8
_NOTED = (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)
_NO_ENTRY = Entry("")
# What programs that tamper with a test beside them are known to reach for.
_PATCHES = re.compile(
    rb"\bunittest\s*\.[\w.]*\s*=[^=]|\bTestCase\s*\.\s*\w+\s*=[^=]|setattr\s*\(\s*(?:unittest|builtins|TestCase)"
    rb"|\bsys\s*\.\s*_getframe|\bsys\s*\.\s*set(?:trace|profile)|\bgc\s*\.\s*get_|\bos\s*\.\s*_exit"
    rb"|\b__builtins__|\bbuiltins\s*\.\s*\w+\s*=[^=]|/proc/self|\bAssertionError\s*=[^=]"
)


def expanded(problem: ProblemSpec) -> ProblemSpec:
    """A unittest problem with one test per test of its sources. Raises InvalidProblem.

    Of a test, `expected` may say what a run of the reference came to: {"tests": 5, "assertions": {name: count}}.
    """
    tests: list[Test] = []
    for test in problem.tests:
        found = read_tests(test.input, problem.entry)
        reference: Mapping[str, Any] = test.expected or {}
        if reference.get("tests", len(found)) != len(found):
            raise InvalidProblem(f"{len(found)} tests were found; the reference ran {reference['tests']}")
        least: Mapping[str, int] = reference.get("assertions") or {}
        for each in found:
            wanted = replace(each, assertions=least.get(each.name, each.assertions)) if isinstance(each, Kept) else each
            tests.append(Test((wanted, test.input), None, test.visible))
    return replace(problem, tests=tuple(tests))


def in_process(problem: ProblemSpec) -> bool:
    """Whether some tests of an expanded problem run beside the program."""
    return any(isinstance(test.input, tuple) and isinstance(test.input[0], Kept) for test in problem.tests)


class UnittestReferee:
    """Judges the tests of an expanded problem."""

    def __init__(self, entry: Entry | None, source: bytes, allowed: Allowance) -> None:
        self._entry, self._allowed = entry or _NO_ENTRY, allowed
        self._patches = _PATCHES.search(source)
        self._driver = _DRIVER.read_text(encoding="utf-8")

    def judge(self, runner: Runner, test: Test) -> Judged:
        """Make a test's calls and hold its assertions against the values, or run it in the program's interpreter."""
        given, source = test.input
        if isinstance(given, Converted):
            imports = _imports(source)
            steps = [
                {
                    "arguments": [pack(each) for each in step.arguments],
                    "keywords": {name: pack(each) for name, each in step.keywords.items()},
                    "raises": step.raises,
                }
                for step in given.steps
            ]
            return self._run(runner, given, {"imports": imports, "steps": steps})
        if self._patches is not None:
            reached = self._patches[0].decode(errors="replace")
            unrun = Run(status=0, cpu_ms=0.0, wall_ms=0.0, peak_kb=0)
            return Judged(Verdict.WRONG_ANSWER, unrun, f"in-process grading refuses programs that use {reached!r}")
        return self._run(runner, given, {"tests": source, "test": given.name})

    def _run(self, runner: Runner, given: Converted | Kept, call: Mapping[str, Any]) -> Judged:
        entry = self._entry
        told = {"driver": self._driver, "preamble": entry.preamble, "name": entry.name, "class": entry.cls, **call}
        line = Line(_ROOM)
        run = runner.run(self._allowed.bounds, line.feed, call=json.dumps(told).encode())
        try:
            value = line.value()
            note = _converted(given, value) if isinstance(given, Converted) else _beside(given, value)
            right = not note
        except (ValueError, TypeError, KeyError, RecursionError) as unfit:
            right, note = False, str(unfit)[:200]
        if line.empty and run.status == 0:
            run, note = replace(run, status=_FAILED_EXIT), ENDED_EARLY
        verdict = decide(run, right, self._allowed)
        if verdict is Verdict.RUNTIME_ERROR and note != ENDED_EARLY:
            note = ""  # what the program said of its error says more
        return Judged(verdict, run, f"{given.name}: {note}" if verdict in _NOTED and note else "")


def _converted(test: Converted, value: Any) -> str:
    outcomes: list[Returned | Raised] = []
    if _large(value) > _LARGE_INTEGERS:
        return "too many large integers"
    for kind, body in value:
        outcomes.append(Returned(unpack(body)) if kind == "returned" else Raised(tuple(map(str, body))))
    return failure(test, outcomes)


def _large(value: Any) -> int:
    if isinstance(value, list):
        return sum(map(_large, value))
    return isinstance(value, int) and not -_LARGE < value < _LARGE


def _beside(test: Kept, facts: Any) -> str:
    """Why a test that ran beside the program does not count; "" when it does."""
    if facts["tampered"]:
        return f"in-process grading: {str(facts['tampered'][0])[:80]}"
    if facts["bad"] or facts["skipped"]:
        return "in-process grading: the test failed"
    if type(facts["assertions"]) is not int or facts["assertions"] < test.assertions:
        return "in-process grading: fewer assertions ran than the test makes"
    return ""


def _imports(source: str) -> str:
    """The test module's own imports, for the program shares its module; not those of unittest."""
    found = [each for each in ast.parse(source).body if isinstance(each, ast.Import | ast.ImportFrom)]
    return "\n".join(line for line in map(ast.unparse, found) if "unittest" not in line and "__future__" not in line)


# --- plain values as JSON, as driver.py has them ----------------------------------------------------------------------

_LETTERS: Mapping[type, str] = {list: "l", tuple: "t", set: "s", frozenset: "f"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}


def pack(value: Any) -> Any:
    """A plain value as JSON: scalars as they are, containers as a list that begins with their kind."""
    match value:
        case dict():
            return ["d", *(pack(each) for pair in value.items() for each in pair)]
        case bytes():
            return ["b", value.hex()]
        case complex():
            return ["c", value.real, value.imag]
        case list() | tuple() | set() | frozenset():
            return [_LETTERS[type(value)], *map(pack, value)]
    return value


def unpack(value: Any) -> Any:
    """The value that was packed. Raises ValueError or TypeError for anything else that came."""
    if isinstance(value, dict):
        raise ValueError("the returned value cannot be read")  # noqa: TRY004  # what came is at fault, not the caller
    if not isinstance(value, list):
        return value
    kind, *parts = value
    if kind == "b":
        return bytes.fromhex(*parts)
    if kind == "c":
        return complex(*parts)
    parts = [unpack(each) for each in parts]
    if kind == "d":
        return dict(zip(parts[::2], parts[1::2], strict=True))
    if kind not in _KINDS:
        raise ValueError("the returned value cannot be read")
    return _KINDS[kind](parts)
