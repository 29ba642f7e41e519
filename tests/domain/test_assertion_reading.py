# ruff: noqa: E501  # tables of test sources
"""Which tests a source holds, told without running it; and when that cannot be told."""

import pytest

from app.domain.errors import InvalidProblem
from app.domain.problems import Entry
from app.domain.unittests.assertions import ConvertedTest, DirectTest, read_tests

F = Entry("f")

A = "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(1), 2)\n"
B = "    def test_b(self): self.assertEqual(f(1), 2)\n"

# Sources whose tests cannot be told apart; how many tests and assertions are in plain sight all the same.
TOGETHER = {
    "inherited": (A + "class Base(unittest.TestCase):\n    x = 1\nclass T(Base):\n" + B, 2, 2),
    "mixed in": (A + "class Mix:\n" + B + "class T(Mix, unittest.TestCase):\n    pass\n", 1, 1),
    "set": (A + "def make(): return lambda self: 1\nfor i in range(3): setattr(A, f'test_{i}x', make())\n", 1, 1),
    "set by a function": (A + "def more(): setattr(A, 'test_x', lambda self: 1)\nmore()\n", 1, 1),
    "set by a function's function": (A + "def one(): A.test_x = 1\ndef two(): one()\ntwo()\n", 1, 1),
    "set by a default": (A + "def helper(x=setattr(A, 'test_x', 1)): pass\n", 1, 1),
    "set by a decorator": (A + "def add(g): A.test_x = g\n@add\ndef helper(self): pass\n", 1, 1),
    "decorated class": ("def twice(c): return c\nimport unittest\n@twice\n" + A.partition("\n")[2], 0, 1),
    "in a condition": (A + "if f:\n    class Q(unittest.TestCase):\n    " + B.replace(" def", "     def", 1), 1, 1),
    "function in a condition": (A + "if f:\n    def test_x(): assert f(1) == 2\n", 1, 1),
    "attribute": ("def b(self): pass\n" + A + "    test_q = b\n", 1, 1),
    "attribute in a loop": (A + "    for i in range(3): locals()[f'test_{i}x'] = f\n", 1, 1),
    "runTest": (A + "class R(unittest.TestCase):\n    def runTest(self): self.assertEqual(f(1), 2)\n", 1, 1),
    "name": (A + "def b(): assert f(1) == 2\ntest_q = b\n", 1, 1),
    "names": (A + "def b(): assert f(1) == 2\nglobals()['test_q'] = b\n", 1, 1),
    "global": (A + "def b():\n    global test_q\n    test_q = f\nb()\n", 1, 1),
    "type": (A + "T = type('T', (unittest.TestCase,), {'test_x': f})\n", 1, 1),
    "defined again": (A + A.replace("test_a", "test_b"), 0, 1),
    "function defined again": ("def test_a(): assert f(1) == 2\n" * 2, 0, 1),
    "load_tests": (A + "def load_tests(*given): return unittest.TestSuite()\n", 0, 1),
    "fixture that is assigned": (A + "setUpModule = f\n", 1, 1),
    "metaclass": (A + "class M(type): pass\nclass T(unittest.TestCase, metaclass=M):\n" + B, 1, 1),
    "reflection": (A + "import inspect as i\ni.stack()\n", 1, 1),
    "imported inside": (A + "def b():\n    import unittest as u\n    return u\nb()\n", 1, 1),
}  # fmt: skip


def test_tests_that_cannot_be_told_apart_are_kept_as_one() -> None:
    for source, assertions, tests in TOGETHER.values():
        (found,) = read_tests(source, F)
        assert isinstance(found, DirectTest), (source, assertions, tests)
        assert (found.whole, found.assertions, found.tests, bool(found.reason)) == (True, assertions, tests, True), (
            source,
            assertions,
            tests,
        )


# Sources whose tests can be told apart, and which of them are converted.
APART = {
    "other names of TestCase": ("import unittest as u\nfrom unittest import TestCase as TC\nclass A(TC):\n" + B + "class C(u.TestCase):\n" + B, {"A.test_b": ConvertedTest, "C.test_b": ConvertedTest}),
    "parameters with values": ("def test_a(x=1): assert f(1) == 2\ndef check(candidate, more=1): assert candidate(1) == 2\n", {"test_a": ConvertedTest, "check": ConvertedTest}),
    "values that are used": ("def test_a(x=1): assert f(x) == 2\n", {"test_a": DirectTest}),
    "values that are called for": ("def test_a(x=f(1)): assert f(1) == 2\n", {"test_a": DirectTest}),
    "check of nothing": ("def check(): assert f(1) == 2\n", {"check": ConvertedTest}),
    "decorated function": ("def twice(g): return g\n@twice\ndef test_a(): assert f(1) == 2\n", {"test_a": DirectTest}),
    "asynchronous function": ("async def test_a(): assert f(1) == 2\n", {"test_a": DirectTest}),
    "asynchronous case": ("import unittest\nclass A(unittest.IsolatedAsyncioTestCase):\n" + B, {"A.test_b": DirectTest}),
    "fixtures of the module": ("def setUpModule(): pass\n" + A, {"A.test_a": DirectTest}),
    "fixture by another name": (A + "    setUp = f\n", {"A.test_a": DirectTest}),
    "assertion of its own": (A + "    def assertEqual(self, *given): pass\n", {"A.test_a": DirectTest}),
    "check with another": ("def check(c): assert c(1) == 2\ncheck(other)\n", {"module": DirectTest, "check": DirectTest}),
    "helper that asserts": ("def same(c): assert c(1) == 2\nsame(f)\n", {"module": DirectTest}),
    "helper of a helper": ("def same(c): assert c(1) == 2\ndef both(c): same(c)\nboth(f)\n", {"module": DirectTest}),
    "assert in a block": ("for a, b in [(1, 2)]:\n    assert f(a) == b\n", {"module": DirectTest}),
    "assert in a condition": ("if f:\n    assert f(1) == 2\n", {"module": DirectTest}),
    "helpers": ("import enum, re\nX = re.compile('a')\nclass N:\n    def __init__(self): self.x = 1\nclass E(enum.Enum):\n    ONE = 1\nclass F(N, Exception): pass\nY = [N(), E.ONE]\n" + A, {"A.test_a": DirectTest}),
    "data named like tests": ("test_cases = [(1, 2)]\n" + A, {"A.test_a": ConvertedTest}),
    "starting the tests": (A + "def run_tests(): unittest.TextTestRunner().run(None)\nif __name__ == '__main__':\n    run_tests()\nunittest.main()\n", {"A.test_a": ConvertedTest}),
}  # fmt: skip


def test_tests_that_can_be_told_apart() -> None:
    for source, wanted in APART.values():
        assert {test.name: type(test) for test in read_tests(source, F)} == wanted, (source, wanted)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("assert f()\ndef test_x(tmp_path): assert f(3) == 4", "test_x needs tmp_path"),
        ("assert f()\nif f:\n    def test_x(*, a, b=1): assert f(3) == 4", "test_x needs a,"),
        ("def given(*values): return lambda g: g\n@given(1, 2)\ndef test_x(n): assert f(n) == 4", "test_x needs n"),
        (A + "class TestB:\n    def test_b(self): assert f(3) == 4", "TestB has tests"),
        (A + "if __name__ == '__main__':\n    assert f(3) == 4", "main guard"),
        (A + "def own(): assert f(3) == 4\nif __name__ == '__main__':\n    own()", "main guard"),
    ],
)
def test_what_nobody_can_run_is_refused(source: str, words: str) -> None:
    with pytest.raises(InvalidProblem, match=words):
        read_tests(source, F)


def test_a_candidate_needs_a_function() -> None:
    with pytest.raises(InvalidProblem, match="candidate"):
        read_tests("def check(candidate): assert candidate(1) == 2", None)
