"""The problems that a manifest's hostile programs are judged on, made here."""

import random
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.domain.problems import Entry, Form, Interactor, Limits, Param, ProblemSpec, Test

_TEST_COUNT = 20

# Guess n in 1..1000000: at most 40 queries "? x", each answered, then "! n" and nothing more.
_GUESS = """\
import sys
number, lines = int(open(sys.argv[1]).read()), sys.stdin.buffer
def end(code, words):
    sys.stderr.write(words)
    sys.exit(code)
for asked in range(41):
    sign, _, word = lines.readline(100).rstrip().partition(b" ")
    if not 1 <= len(word) <= 7 or not word.isdigit() or not 1 <= int(word) <= 1000000:
        end(2, "neither a query nor an answer")
    if sign == b"!":
        if int(word) != number:
            end(1, "wrong number")
        end(*((1, "more after the answer") if lines.read(1 << 16).strip() else (0, "found")))
    if sign != b"?" or asked == 40:
        end(1, "too many queries" if asked == 40 else "neither a query nor an answer")
    print("<" if number < int(word) else ">" if number > int(word) else "=", flush=True)
"""


def make_problem(name: str, mode: str, limits: Limits) -> ProblemSpec | None:
    """Return a problem of the manifest; None if this harness cannot make it."""
    if (name, mode) == ("guess", "interactive"):
        hidden = (1, 10**6, *(1 + secrets.randbelow(10**6) for _ in range(_TEST_COUNT - 2)))
        tests = tuple(Test(f"{number}\n", "") for number in hidden)
        return ProblemSpec(name, Form.INTERACTIVE, tests, limits, interactor=Interactor(_GUESS))
    if mode == "unittest":
        called = make_problem(name, "call", limits)
        return None if called is None else _as_unittest(called)
    # Attacks on the compiler run on an ordinary problem.
    form = {"stdio": Form.STDIN, "compile": Form.STDIN, "call": Form.FUNCTION}.get(mode)
    if form is None or name not in ("aplusb", "nonce"):
        return None
    numbers = random.Random(name)  # noqa: S311  # test inputs, not secrets
    pairs = [(numbers.randint(-(10**9), 10**9), numbers.randint(-(10**9), 10**9)) for _ in range(_TEST_COUNT)]
    tests_of = {
        ("aplusb", Form.STDIN): [Test(f"{a} {b}\n", f"{a + b}\n") for a, b in pairs],
        ("aplusb", Form.FUNCTION): [Test([a, b], a + b) for a, b in pairs],
        ("nonce", Form.STDIN): [Test(f"{number}\n", secrets.token_hex(16) + "\n") for number in range(_TEST_COUNT)],
        ("nonce", Form.FUNCTION): [Test([number], secrets.token_hex(16)) for number in range(_TEST_COUNT)],
    }
    parameters = (Param("a"), Param("b")) if name == "aplusb" else (Param("x"),)
    entry = Entry("solve", params=parameters) if form is Form.FUNCTION else None
    return ProblemSpec(name, form, tuple(tests_of[name, form]), limits, entry=entry)


def _as_unittest(problem: ProblemSpec) -> ProblemSpec:
    """Return the same calls as BigCodeBench-style tests, all of which can be converted."""
    assert problem.entry is not None
    lines = ["import unittest", "", "class TestCases(unittest.TestCase):"]
    for number, test in enumerate(problem.tests):
        call = f"{problem.entry.name}({', '.join(map(repr, test.input))})"
        lines += [f"    def test_{number}(self):", f"        self.assertEqual({call}, {test.expected!r})"]
    return replace(problem, form=Form.UNITTEST, tests=(Test("\n".join(lines), None),))


def read_limits(limits: Mapping[str, Any]) -> Limits:
    """Return the limits that a manifest states, in its own units."""
    return Limits(
        time_ms=round(1000 * limits.get("cpu_s", 2)),
        memory_mb=int(limits.get("memory_mb", 256)),
        output_kb=int(limits.get("output_kb", 1024)),
    )
