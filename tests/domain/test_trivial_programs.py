"""Trivial programs: what each says, and to whom."""

import json
import subprocess
import sys
from typing import Any

import pytest

from app.domain.problems import Entry, Form, Param, ProblemSpec, Test
from app.domain.testgen.trivial_programs import trivial_programs

TEXT = ProblemSpec("text", Form.STDIN, (Test("1\n", "one\n", visible=True), Test("2\n", "two\n"), Test("3\n", "two\n")))
CALL = ProblemSpec(
    "call",
    Form.FUNCTION,
    (Test([1, "a"], [True, None], visible=True), Test([2, "b"], [2.5]), Test([3, "c"], [2.5])),
    entry=Entry("f", params=(Param("n"), Param("s"))),
)
METHOD = ProblemSpec("method", Form.FUNCTION, CALL.tests, entry=Entry("f", "Solution", CALL.entry.params))  # type: ignore[union-attr]


STACK = ProblemSpec(
    "stack",
    Form.CLASS,
    (
        Test([["Stack", "push", "top"], [[9], [4], []]], [None, None, 7], visible=True),
        Test([["Stack", "top", "top"], [[9], [], []]], [None, 5, 5]),
    ),
    entry=Entry("", "Stack"),
)


def printed(code: str, given: str) -> str:
    """What our own trivial program prints, as a program of its own."""
    command = [sys.executable, "-I", "-c", code]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


def returned(problem: ProblemSpec, name: str, arguments: list[Any]) -> Any:
    """What our own trivial program returns when it is called as the judge would."""
    owner = "Solution()." if problem.entry and problem.entry.cls else ""
    return json.loads(printed(f"{trivial_programs(problem)[name]}\nprint(json.dumps({owner}f(*{arguments!r})))", ""))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", ["", ""]),
        ("echo", ["1\n", "9\n"]),
        ("constant", ["two\n", "two\n"]),
        ("examples", ["one\n", "two\n"]),
    ],
)
def test_text(name: str, said: list[str]) -> None:
    assert [printed(trivial_programs(TEXT)[name], given) for given in ("1\n", "9\n")] == said


def test_calls() -> None:
    for name, said in [
        ("nothing", [None, None]),
        ("echo", [1, 9]),
        ("constant", [[2.5], [2.5]]),
        ("examples", [[True, None], [2.5]]),
    ]:
        for problem in [CALL, METHOD]:
            assert [returned(problem, name, given) for given in ([1, "a"], [9, "z"])] == said, (name, said, problem)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing", [None, None, None]),
        ("echo", [4, None, None]),
        ("constant", [5, 5, 5]),
        ("examples", [None, 7, 5]),
    ],
)
def test_classes_answer_call_by_call(name: str, said: list[Any]) -> None:
    calls = "it = Stack(9)\nprint(json.dumps([it.push(4), it.top(), it.top()]))"
    assert json.loads(printed(f"{trivial_programs(STACK)[name]}\n{calls}", "")) == said


def test_without_answers_a_constant_says_nothing() -> None:
    talk = ProblemSpec("talk", Form.INTERACTIVE, (Test("1\n", None), Test("2\n", None)))
    assert [printed(trivial_programs(talk)[name], "1\n") for name in ("constant", "examples")] == ["", ""]


def test_what_a_unittest_calls_is_not_known() -> None:
    assert trivial_programs(ProblemSpec("unit", Form.UNITTEST, (Test("import unittest", None),))) == {}
