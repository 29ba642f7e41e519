"""What tests use besides the program, read from their source."""

import pytest

from app.domain.unittests.used_names import find_uses, own_imports, uses_as_class

SOURCE = """
import unittest
import os.path as p, json
from numpy.testing import assert_allclose as close
from solution import f
def same(a, b):
    from fractions import Fraction
    return all(Fraction(x) == b for x in a) and sorted(a)
class T(unittest.TestCase):
    def test_it(self, len=3):
        self.assertTrue(len and close(p.exists('x'), max(f(1), 2)))
"""


def test_modules_names_parts_and_builtins() -> None:
    found = find_uses(SOURCE)
    assert found.modules == ("fractions", "json", "numpy.testing", "os.path", "unittest")
    assert {"same", "T", "test_it", "close", "p", "f", "all"} <= set(found.names)
    assert {"assert_allclose", "close", "exists", "assertTrue", "TestCase", "path"} <= set(found.parts)
    assert found.builtins == ("all", "max", "sorted")  # len is a parameter


def test_whether_tests_change_what_they_use() -> None:
    assert not find_uses(SOURCE).patches
    assert not find_uses("def t(self):\n    self.x = 1\n    cls.y = 2\n    x[0] = os.path").patches
    for patching in (
        "os.getcwd = f",
        "del os.x",
        "@patch('a')\ndef t(): pass",
        "mock.patch.object(a, 'b')",
        "setattr(a, b, c)",
    ):
        assert find_uses(patching).patches, patching


def test_the_programs_module_and_relative_ones_are_no_modules_of_the_tests() -> None:
    assert (
        find_uses("import __main__\nfrom . import x\nfrom .y import z\nfrom __future__ import annotations").modules
        == ()
    )


def test_imports_that_the_program_shares() -> None:
    assert own_imports("import unittest\nimport json\nfrom __future__ import division\nfrom os import path") == (
        "import json\nfrom os import path"
    )


@pytest.mark.parametrize(
    "body",
    [
        "s = Stack()\ns.push(1)",
        "self.s: Stack = Stack()\nself.assertEqual(self.s.pop(), 1)",
        "a = b = Stack([1])\nassert b.rows",
        "with Stack() as s:\n    s.push(1)",
        "if (s := Stack()).rows: pass",
        "Stack().push(1)",
        "Stack.of(1)",
    ],
)
def test_what_tests_use_as_a_class(body: str) -> None:
    assert uses_as_class(body, "Stack")
    assert not uses_as_class(body.replace("Stack", "stack"), "stack"), "a function may return anything"


@pytest.mark.parametrize(
    "body", ["self.assertEqual(Stack(1, 2), 3)", "s = Stack()\nassert s > 2", "t = List()\nt.push(Stack())"]
)
def test_what_tests_use_as_a_function(body: str) -> None:
    assert not uses_as_class(body, "Stack")
    assert not uses_as_class(body, None)
