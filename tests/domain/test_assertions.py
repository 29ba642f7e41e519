# ruff: noqa: E501  # tables of test sources
"""Tests written for unittest, read and evaluated without running them."""

import ast
import textwrap
from typing import Any

import pytest

from app.domain.errors import InvalidProblem
from app.domain.problems import Entry
from app.domain.unittests.assertions import (
    ConvertedTest,
    DirectTest,
    RaisedError,
    ReturnedValue,
    as_kept_test,
    find_failure,
    read_tests,
)
from app.domain.unittests.evaluation import (
    AFTER_CALL,
    UNKNOWN,
    Evaluator,
    UnsupportedExpression,
    bind_target,
    target_names,
)

F = Entry("f")


def methods(*bodies: str, more: str = "", head: str = "import unittest\n", bases: str = "unittest.TestCase") -> str:
    lines = [head, f"class T({bases}):", textwrap.indent(more or "pass", "    ")]
    for number, body in enumerate(bodies):
        lines += [f"    def test_{number}(self):", textwrap.indent(body, "        ")]
    return "\n".join(lines)


def one(body: str, **given: Any) -> ConvertedTest | DirectTest:
    (found,) = read_tests(methods(body, **given), F)
    return found


def holds(body: str, *values: Any) -> bool:
    found = one(body)
    assert isinstance(found, ConvertedTest), found
    return (
        find_failure(found, [value if isinstance(value, RaisedError) else ReturnedValue(value) for value in values])
        == ""
    )


# Body, what the call gives, whether it holds.
SAID: list[tuple[str, Any, bool]] = [
    ("self.assertEqual(f(), [1])", [1], True),
    ("self.assertEqual(f(), [1])", (1,), False),
    ("self.assertEqual(f(), 1, 'why')", 1, True),
    ("self.assertEqual(f(), 1, msg=f'{1}')", 1, True),
    ("self.assertNotEqual(f(), 1)", 1, False),
    ("self.assertTrue(f())", [0], True),
    ("self.assertFalse(f())", "", True),
    ("self.assertIsNone(f())", None, True),
    ("self.assertIsNotNone(f())", None, False),
    ("self.assertIs(f(), True)", 1, False),
    ("self.assertIsNot(f(), None)", 0, True),
    ("self.assertIn(f(), [1, 2])", 2, True),
    ("self.assertNotIn('a', f())", "abc", False),
    ("self.assertIn(1, f())", 3, False),
    ("self.assertGreater(f(), 1)", 2, True),
    ("self.assertGreaterEqual(f(), 2)", 2, True),
    ("self.assertLess(f(), 2)", 2, False),
    ("self.assertLessEqual(f(), 2)", "a", False),
    ("self.assertListEqual(f(), [1])", [1], True),
    ("self.assertTupleEqual(f(), (1,))", [1], False),
    ("self.assertDictEqual(f(), {'a': 1})", {"a": 1}, True),
    ("self.assertSetEqual(f(), {1, 2})", {2, 1}, True),
    ("self.assertSequenceEqual(f(), [1])", (1,), True),
    ("self.assertMultiLineEqual(f(), 'a')", "a", True),
    ("self.assertCountEqual(f(), [2, 1])", [1, 2], True),
    ("self.assertCountEqual(f(), [[2], [1]])", [[1], [2]], True),
    ("self.assertCountEqual(f(), [1, 1])", [1, 2], False),
    ("self.assertCountEqual(f(), ['a', 'a', 'b'])", {"a": 2, "b": 1, "zz": 0}, False),
    ("self.assertCountEqual(f(), ['a', 'b'])", {"a": 5, "b": 7}, True),
    ("self.assertCountEqual(f(), [[1], [1.0], 'a'])", ["a", [1.0], [1]], True),
    ("self.assertCountEqual(f(), [[1], [2]])", [[1], [1]], False),
    ("self.assertCountEqual(f(), [[1]])", [[1], [1]], False),
    ("self.assertSetEqual(f(), {1, 2})", [2, 1], False),
    ("self.assertSetEqual(f(), {1, 2})", frozenset((1, 2)), True),
    ("self.assertSequenceEqual(f(), [1, 2])", {1, 2}, False),
    ("self.assertSequenceEqual(f(), [0])", {0: 0}, True),
    ("self.assertSequenceEqual(f(), [1])", {0: 0}, False),
    ("self.assertSequenceEqual(f(), [1])", 1, False),
    ("self.assertSequenceEqual(f(), 'ab')", ["a", "b"], True),
    ("self.assertAlmostEqual(f(), 1.0)", 1.00000001, True),
    ("self.assertAlmostEqual(f(), 1.0)", 1.0001, False),
    ("self.assertAlmostEqual(f(), 1.0, places=3)", 1.0001, True),
    ("self.assertAlmostEqual(f(), 1.0, 3, 'm')", 1.0001, True),
    ("self.assertAlmostEqual(f(), 1.0, delta=0.5)", 1.4, True),
    ("self.assertAlmostEqual(f(), 1.0, delta=0.5)", 1.6, False),
    ("self.assertAlmostEqual(f(), 1.0)", 1, True),
    ("self.assertAlmostEqual(f(), 1.0)", float("inf"), False),
    ("self.assertNotAlmostEqual(f(), 1.0)", 2, True),
    ("self.assertIsInstance(f(), (list, dict))", {}, True),
    ("self.assertNotIsInstance(f(), str)", "a", False),
    ("assert f() == 1", 2, False),
    ("r = f()\nself.assertEqual(r['a'][-1], 2)", {"a": [1, 2]}, True),
    ("r: list = f()\nself.assertEqual(len(r), 2)", [1, 2], True),
    ("a, (b, c) = f()\nself.assertEqual(a + b * c, 7)", (1, [2, 3]), True),
    ("a, b = f()\nself.assertEqual(a, b)", (1,), False),
    ("r = f()\nself.assertTrue(isinstance(r, int) and r > 0 or r is None)", 3, True),
    ("r = f()\nself.assertTrue(all(x in 'abc' for x in r if x))", "ab", True),
    ("r = f()\nself.assertEqual({k: v for k, v in r.items()}, {'a': 1})", {"a": 1}, True),
    ("r = f()\nself.assertEqual([x for x in r][::-1], [2, 1])", [1, 2], True),
    ("r = f()\nself.assertEqual({x % 2 for x in r}, {0, 1})", [1, 2], True),
    ("r = f()\nself.assertEqual(sorted(set(r), reverse=True), [2, 1])", [1, 2, 1], True),
    ("r = f()\nself.assertEqual(' '.join(r).split(), ['a', 'b'])", ["a", "b"], True),
    ("r = f()\nself.assertTrue(1 < r <= 3 != 4)", 3, True),
    ("r = f()\nself.assertTrue(1 < r < 3)", 3, False),
    ("r = f()\nself.assertEqual(-r ** 2 // 2 - ~r, 1)", 2, True),
    ("r = f()\nself.assertEqual(r if r else 'none', 'none')", 0, True),
    ("r = f()\nself.assertEqual((r & 3) | (4 ^ 1), 7)", 2, True),
    ("for x in f():\n    y = x + 1\n    self.assertGreater(y, x)", [1, 2], True),
    ("for a, b in f():\n    for c in b:\n        self.assertEqual(a, c)", [(1, [1, 2])], False),
    ("for x in f():\n    self.assertTrue(x)", 5, False),
    ("'''doc'''\npass\nself.assertEqual(f(), 1)", 1, True),
    ("r = f()\nself.assertEqual(r * 10 ** 9, [])", [1], False),
    ("r = f()\nself.assertEqual(r ** r, 1)", 10**9, False),
    ("r = f()\nself.assertEqual(r * r, 1)", 10**15000, False),
    ("r = f()\nself.assertEqual(len(range(r)), 1)", 10**9, False),
    ("r = f()\nself.assertEqual(bytes(r), b'')", 10**9, False),
    ("r = f()\nself.assertEqual(r % 1, 'a')", "%999999999d", False),
    ("r = f()\nself.assertEqual(r + r, 'a')", "a" * 2_000_000, False),
    ("r = f()\nself.assertEqual(r.count('a'), 1)", 7, False),
    ("r = f()\nself.assertTrue(all(True for x in range(1000) for y in range(1000)))", 1, False),
]  # fmt: skip


def test_what_assertions_say() -> None:
    for body, value, right in SAID:
        assert holds(body, value) is right, (body, value, right)


@pytest.mark.parametrize(
    ("body", "outcome", "right"),
    [
        ("self.assertRaises(KeyError, f, 1, a=2)", RaisedError(("KeyError", "LookupError", "Exception")), True),
        ("self.assertRaises(LookupError, f)", RaisedError(("KeyError", "LookupError", "Exception")), True),
        ("self.assertRaises(ValueError, f)", RaisedError(("KeyError", "Exception")), False),
        ("self.assertRaises(ValueError, f)", ReturnedValue(1), False),
        ("with self.assertRaises((ValueError, KeyError)):\n    f(1)", RaisedError(("KeyError",)), True),
        ("with self.assertRaises(ValueError):\n    r = f(1)", ReturnedValue(1), False),
        ("self.assertEqual(f(), 1)", RaisedError(("KeyError",)), False),
    ],
)
def test_what_is_to_raise(body: str, outcome: Any, right: bool) -> None:
    found = one(body)
    assert isinstance(found, ConvertedTest)
    assert (find_failure(found, [outcome]) == "") is right


def test_calls_that_are_missing_fail() -> None:
    found = one("self.assertEqual(f(1), f(2))")
    assert isinstance(found, ConvertedTest)
    assert [step.arguments for step in found.steps] == [(1,), (2,)]
    assert find_failure(found, [ReturnedValue(1)]) != ""
    assert find_failure(found, [ReturnedValue(1), ReturnedValue(1)]) == ""


def test_arguments_are_evaluated() -> None:
    found = one("a = [1] * 2\nb = {'k': (None, -1)}\nself.assertEqual(f(a, x=b), K)", head="import unittest\nK = 3\n")
    assert isinstance(found, ConvertedTest)
    assert (found.steps[0].arguments, found.steps[0].keywords) == (([1, 1],), {"x": {"k": (None, -1)}})
    assert find_failure(found, [ReturnedValue(3)]) == ""


KEPT = {
    "nothing of the program": "self.assertEqual(1, 1)",
    "unknown statement": "x = f()\ndel x\nself.assertTrue(1)",
    "unknown name": "self.assertEqual(f(), other)",
    "imported name": "self.assertEqual(f(), unittest)",
    "unknown function": "self.assertEqual(f(), hash(1))",
    "function as a value": "self.assertEqual(f(), len)",
    "attribute": "self.assertEqual(f().real, 1)",
    "unknown method": "self.assertEqual(f().encode(), 1)",
    "unknown keyword": "self.assertEqual(sorted(f(), key=len), [])",
    "keywords of an assertion": "self.assertEqual(f(), 1, delta=2)",
    "unknown assertion": "self.assertRegex(f(), 'a')",
    "too few operands": "self.assertEqual(f())",
    "identity of values": "self.assertIs(f(), 'a')",
    "identity in an expression": "self.assertTrue(f() is 1000)",
    "type that is not builtin": "self.assertIsInstance(f(), Other)",
    "type in an expression": "self.assertTrue(isinstance(f(), Other))",
    "error that is not builtin": "self.assertRaises(Other, f)",
    "error of a name that is none": "self.assertRaises(len, f)",
    "raising of another": "self.assertRaises(ValueError, g)",
    "raising with more": "with self.assertRaises(ValueError) as c:\n    f()",
    "raising in a block": "with self.assertRaises(ValueError):\n    f()\n    f()",
    "raising at large": "with self.assertRaises(ValueError, msg='x'):\n    f()",
    "call that may be made": "self.assertTrue(1 or f())",
    "call in a loop": "for x in [1]:\n    self.assertTrue(f(x))",
    "call in a comprehension": "self.assertTrue([f(x) for x in [1]])",
    "call in a dictionary's comprehension": "self.assertTrue({x: f(x) for x in [1]})",
    "call of a call": "self.assertEqual(f(f(1)), 1)",
    "argument that depends": "a = f(1)\nself.assertEqual(f(a), 1)",
    "argument that fails": "self.assertEqual(f(1 // 0), 1)",
    "argument that is not plain": "self.assertEqual(f(range(3)), 1)",
    "arguments in a star": "self.assertEqual(f(*[1]), 1)",
    "keywords in stars": "self.assertEqual(f(**{'a': 1}), 1)",
    "argument that may have changed": "a = [1]\nself.assertEqual(f(a), 1)\nself.assertEqual(a, [1])",
    "argument that may have changed, again": "a = [1]\nself.assertEqual(f(a), 1)\nself.assertEqual(f(a), 1)",
    "argument that is held elsewhere": "a = [1]\nb = (a,)\nself.assertEqual(f(b), 1)\nself.assertEqual(a, [1])",
    "value that is held elsewhere": "a = [1]\nr = f(1)\nb = [r, a]\nself.assertEqual(a, [1])",
    "several targets": "a = b = f()\nself.assertEqual(a, 1)",
    "target that is no name": "x[0] = f()\nself.assertEqual(x, 1)",
    "loop with else": "for x in f():\n    pass\nelse:\n    pass",
    "stars in a dictionary": "self.assertEqual({**f()}, 1)",
    "shift": "self.assertEqual(f() << 3, 1)",
    "formatting": "self.assertEqual(f'{f()}', 1)",
    "lambda": "self.assertEqual((lambda: f())(), 1)",
    "helper": "self.same(f(), 1)",
    "raising in a loop": "for x in [1]:\n    self.assertRaises(ValueError, f)",
}  # fmt: skip


def test_what_cannot_be_converted_is_kept_with_a_reason() -> None:
    for body in KEPT.values():
        found = one(body)
        assert isinstance(found, DirectTest), found
        assert found.reason, body


def test_a_name_that_is_bound_again_is_fresh() -> None:
    assert holds("a = [1]\nself.assertEqual(f(a), 1)\na = [2]\nself.assertEqual(f(a), 2)", 1, 2)


@pytest.mark.parametrize(
    "given",
    [
        {"more": "def setUp(self):\n    self.x = 1"},
        {"bases": "unittest.TestCase, Other"},
        {"bases": "MyTestCase"},
        {"head": "import unittest, random\nrandom.seed(0)\n"},
        {"head": "import unittest\nX = object()\n"},
        {"head": "import unittest\nX.y = 1\n"},
    ],
)
def test_surroundings_that_do_something_keep_all(given: dict[str, str]) -> None:
    assert isinstance(one("self.assertEqual(f(), 1)", **given), DirectTest)


def test_the_other_kinds_of_tests() -> None:
    source = textwrap.dedent("""
        '''Tests.'''
        import unittest
        METADATA = {'a': 1}
        def check(candidate):
            assert candidate(1) == 2
            assert candidate(METADATA['a']) == 2
        def test_loose():
            assert f(3) == 4
        def helper():
            return 1
        class Other:
            pass
        class T(unittest.TestCase):
            @unittest.skip
            def test_skipped(self):
                self.assertTrue(f())
            async def test_async(self):
                self.assertTrue(f())
            @staticmethod
            def test_static():
                pass
            def test_odd(self, x):
                self.assertTrue(f())
        assert f(4) == 5
        check(f)
        if __name__ == '__main__':
            unittest.main()
        """)
    found = {test.name: type(test) for test in read_tests(source, F)}
    kept = dict.fromkeys(("T.test_skipped", "T.test_async", "T.test_static", "T.test_odd"), DirectTest)
    assert found == {"module": ConvertedTest, "check": ConvertedTest, "test_loose": ConvertedTest, **kept}


def test_a_converted_test_can_also_run_beside() -> None:
    found = one("for x in f():\n    self.assertTrue(x)\nself.assertTrue(1)")
    assert isinstance(found, ConvertedTest)
    kept = as_kept_test(found)
    assert (kept.name, kept.assertions, kept.whole) == ("T.test_0", 1, False)


def test_methods_of_a_solution_are_calls() -> None:
    source = "def check(c):\n    assert c(1) == 1\n    assert Solution().f(2) == 2\n    assert f(3) == 3\n"
    (found,) = read_tests(source, Entry("f", "Solution"))
    assert isinstance(found, ConvertedTest)
    assert [step.arguments for step in found.steps] == [(1,), (2,), (3,)]


def test_without_an_entry_nothing_is_a_call() -> None:
    (found,) = read_tests(methods("self.assertEqual(f(), 1)"), None)
    assert isinstance(found, DirectTest)


def test_the_least_number_of_assertions() -> None:
    body = "self.x = 1\nself.assertEqual(f(), 1)\nwith self.assertRaises(ValueError):\n    f()\nwith open('x'):\n    self.assertTrue(1)\nif f():\n    self.assertTrue(1)\nmock.assert_called()"
    assert one(body).assertions == 3


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1", "no tests"),
        ("def f(:", "not valid Python"),
        ("a\0b", "not valid Python"),
        ("(" * 5000, "not valid Python"),
        ("import numpy as np\nfrom pandas.core import x\nassert f()", "numpy, pandas"),
    ],
)
def test_sources_that_cannot_be_judged(source: str, words: str) -> None:
    with pytest.raises(InvalidProblem, match=words):
        read_tests(source, F)


def test_a_source_that_is_nested_too_deeply() -> None:
    with pytest.raises(InvalidProblem, match="not valid Python"):
        read_tests("assert f(" + "(" * 5000 + ") == 1", F)
    with pytest.raises(InvalidProblem, match="deeply"):
        read_tests(f"class T(a{'.b' * 900}.TestCase):\n    def test_a(self):\n        self.assertTrue(f())", F)
    assert read_tests("y = " + "-" * 900 + "1\nassert f() == y", F)


EXPRESSIONS: list[tuple[str, Any]] = [
    ("[x, *y]", UnsupportedExpression),
    ("{**x}", UnsupportedExpression),
    ("...", UnsupportedExpression),
    ("x << 1", UnsupportedExpression),
    ("x or y", 1),
    ("z or x", 1),
    ("z and x", 0),
    ("{1: x}[1]", 1),
    ("sum([1], start=x)", 2),
    ("min([], default=x)", 1),
    ("sum([1], weight=x)", UnsupportedExpression),
    ("other", UnsupportedExpression),
    ("later", UnsupportedExpression),
    ("x.real", UnsupportedExpression),
    ("x.bit_length()", UnsupportedExpression),
    ("w()", UnsupportedExpression),
    ("isinstance(x, (int, x))", UnsupportedExpression),
    ("x is y", UnsupportedExpression),
    ("x is not None", True),
    ("bytes(3)", UnsupportedExpression),
    ("'%d' % x", UnsupportedExpression),
    ("7 % 4", 3),
    ("2 ** 10", 1024),
    ("2.0 ** 0.5 > 1", True),
    ("[1] * 3", [1, 1, 1]),
    ("2 * 'ab'", "abab"),
    ("x @ y", UnsupportedExpression),
    ("[v for v in [1, 2] if v > 1]", [2]),
]


@pytest.mark.parametrize(("text", "value"), EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_expressions(text: str, value: Any) -> None:
    names = {"x": 1, "y": 2, "z": 0, "other": UNKNOWN, "later": AFTER_CALL, "w": 3}
    node = ast.parse(text, mode="eval").body
    if value is UnsupportedExpression:
        with pytest.raises(UnsupportedExpression):
            Evaluator({}).value(node, names)
    else:
        assert Evaluator({}).value(node, names) == value


def test_targets() -> None:
    (name,) = [each for each in ast.walk(ast.parse("x.a = 1")) if isinstance(each, ast.Attribute)]
    for reads in (target_names, lambda node: bind_target(node, 1)):
        with pytest.raises(UnsupportedExpression):
            reads(name)


def test_a_stub_needs_no_more_than_there_is() -> None:
    with pytest.raises(InvalidProblem, match="torch"):
        read_tests("assert f() == 1", Entry("f", preamble="import torch"))
