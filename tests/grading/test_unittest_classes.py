# ruff: noqa: E501  # whole programs
"""Unittests of a class: its objects answer by code of the program, as its tests know."""

import pytest
from grading.unittesting import problem, source

from app.domain.judging.verdicts import Verdict
from workers.grading.judge import Judge

pytestmark = pytest.mark.sandbox

STACK = "class Stack:\n    def __init__(self): self.rows = []\n    def push(self, x): self.rows.append(x)\n    def __len__(self): return len(self.rows)\n    def pop(self): return self.rows.pop() if self.rows else None\n"


def test_an_entry_may_be_a_class(judge: Judge) -> None:
    """Its objects answer by code of the program, and tests know that; of a function's value they do not."""
    body = (
        "s = Stack()\ns.push(1)\nself.assertEqual(len(s), 1)\nself.assertEqual(s.pop(), 1)\nself.assertIsNone(s.pop())"
    )
    spec = problem(source(body), name="Stack")
    assert judge.grade(spec, STACK, "python").verdict is Verdict.ACCEPTED
    for wrong in (STACK.replace("self.rows.pop()", "self.rows[0]"), STACK.replace("len(self.rows)", "2")):
        assert judge.grade(spec, wrong, "python").verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)
    cheats = "class Any:\n    def __eq__(self, o): return True\n    def __ne__(self, o): return False\n"
    cheat = cheats + STACK.replace("self.rows.pop()", "Any()")
    assert judge.grade(spec, cheat, "python").verdict is Verdict.WRONG_ANSWER
    function = problem(source("s = Stack()\nself.assertTrue(s > 2)"), name="Stack")
    greater = STACK + "    def __gt__(self, o): return True\n"
    assert judge.grade(function, greater, "python").verdict is Verdict.WRONG_ANSWER
