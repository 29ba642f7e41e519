# ruff: noqa: E501  # tables of test sources
"""Unittest form: no test is dropped; those that cannot be told apart run as one; fixtures are run."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from grading.unittesting import BESIDE, FIXTURE, TAMPERING, problem, source

from app.domain.judging.verdicts import Verdict
from app.domain.problems import Limits, Test
from workers.grading.judge import Judge
from workers.grading.unittests import expand_tests, has_in_process_tests

pytestmark = pytest.mark.sandbox

CASE = "import unittest\nclass A(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(1), 2)\n"
# Sources that hold one test more than stands in plain sight, which wants f(1) to be WANTED.
HIDDEN = {
    "inherited": CASE + "class Base(unittest.TestCase):\n    x = 1\nclass T(Base):\n    def test_b(self): self.assertEqual(f(1), WANTED)\n",
    "mixed in": CASE + "class Mix:\n    def test_m(self): self.assertEqual(f(1), WANTED)\nclass T(Mix, unittest.TestCase):\n    pass\n",
    "set": CASE + "def make(i):\n    def t(self): self.assertEqual(f(i), WANTED)\n    return t\nfor i in [1]: setattr(A, f'test_{i}x', make(i))\n",
    "partial": "import functools\n" + CASE + "def t(self, i): self.assertEqual(f(i), WANTED)\nA.test_x = functools.partialmethod(t, 1)\n",
    "other name": CASE + "from unittest import TestCase as TC\nclass B(TC):\n    def test_a(self): self.assertEqual(f(1), WANTED)\n",
    "condition": CASE + "if f:\n    class Q(unittest.TestCase):\n        def test_a(self): self.assertEqual(f(1), WANTED)\n",
    "attribute": "def t(self): self.assertEqual(f(1), WANTED)\n" + CASE + "    test_q = t\n",
    "parameter": CASE + "def test_z(x=1): assert f(1) == WANTED\n",
    "decorated": CASE + "def same(x): return lambda g: g\n@same(1)\ndef test_x(): assert f(1) == WANTED\n",
    "asynchronous": CASE + "async def test_x(): assert f(1) == WANTED\n",
    "asynchronous method": CASE + "    async def test_x(self): self.assertEqual(f(1), WANTED)\n",
    "candidate": CASE + "def check(candidate, extra=1): assert candidate(1) == WANTED\n",
    "candidate among others": CASE + "class B(A): pass\ndef check(candidate, extra=1): assert candidate(1) == WANTED\n",
    "check of nothing": CASE + "class B(A): pass\ndef check(): assert f(1) == WANTED\n",
    "function among others": CASE + "class B(A): pass\ndef test_z(x=1): assert f(1) == WANTED\n",
    "block": CASE + "for a in [1]:\n    assert f(a) == WANTED\n",
    "helper": CASE + "def same(c): assert c(1) == WANTED\nsame(f)\n",
    "runTest": CASE + "class R(unittest.TestCase):\n    def runTest(self): self.assertEqual(f(1), WANTED)\n",
    "load_tests": CASE + "class R(unittest.TestCase):\n    def later(self): self.assertEqual(f(1), WANTED)\ndef load_tests(loader, found, _): return unittest.TestSuite([found, R('later')])\n",
}  # fmt: skip


def outcomes(judge: Judge, code: str, sources: Mapping[str, str]) -> dict[str, Verdict]:
    """What a program comes to with the tests of each source; all of them in one sandbox."""
    spec = replace(problem(""), tests=tuple(Test(each, None) for each in sources.values()))
    names, found = list(sources), dict.fromkeys(sources, Verdict.ACCEPTED)
    result = judge.grade(spec, code, "python", all_tests=True)
    for test, outcome in zip(expand_tests(spec).tests, result.tests, strict=True):
        if outcome.verdict is not Verdict.ACCEPTED:
            found[names[test.input[2]]] = outcome.verdict
    return found


def test_no_test_is_dropped(judge: Judge) -> None:
    for wanted, verdict in (("99", Verdict.WRONG_ANSWER), ("2", Verdict.ACCEPTED)):
        sources = {name: tests.replace("WANTED", wanted) for name, tests in HIDDEN.items()}
        assert outcomes(judge, "def f(x): return x + 1", sources) == dict.fromkeys(HIDDEN, verdict)


@pytest.mark.parametrize(
    "more",
    [
        "def test_z(tmp_path):\n    assert f(1) == 2\n",
        "class TestB:\n    def test_b(self): assert f(1) == 2\n",
        "class TestB:\n    def test_b(self): assert f(1) == 2\nTestB\n",
        "def t(x): assert f(1) == 2\ntest_q = t\n",
    ],
    ids=["fixture", "no test case", "no test case, found when it runs", "parameter, found when it runs"],
)
def test_tests_that_nobody_can_run_are_our_fault(judge: Judge, more: str) -> None:
    result = judge.grade(problem(CASE + more), "def f(x): return x + 1", "python")
    assert (result.verdict, "test_" in result.message or "TestB" in result.message) == (Verdict.JUDGE_ERROR, True)


TOGETHER = CASE + "class B(A):\n    def test_b(self): self.assertEqual(f(2), 3)\n"


def test_tests_that_run_as_one_are_counted(judge: Judge) -> None:
    program = "def f(x): return x + 1"
    counted = {"tests": 3, "assertions": {"A.test_a": 1, "B.test_a": 1, "B.test_b": 1}}
    result = judge.grade(problem(TOGETHER, counts=counted), program, "python")
    assert (result.verdict, result.in_process, result.total) == (Verdict.ACCEPTED, True, 1)
    for more in ({**counted, "tests": 4}, {**counted, "assertions": {"A.test_a": 4}}):
        assert "fewer" in judge.grade(problem(TOGETHER, counts=more), program, "python").message
    nothing = "import unittest\nclass A(type('B', (unittest.TestCase,), {})): pass\n"
    assert "fewer tests" in judge.grade(problem(nothing), program, "python").message


def test_tests_that_run_as_one_have_the_time_of_all(judge: Judge) -> None:
    """Twelve tests, of which each takes little: on a busy machine too all end in the time of twelve."""
    slow = "import time\ndef f(x):\n    end = time.process_time() + 0.04\n    while time.process_time() < end: pass\n    return x + 1"
    more = "".join(f"    def test_{name}(self): self.assertEqual(f(2), 3)\n" for name in "cdefghijk")
    result = judge.grade(replace(problem(TOGETHER + more), limits=Limits(time_ms=250)), slow, "python")
    assert result.verdict is Verdict.ACCEPTED, result


@pytest.mark.parametrize("code", TAMPERING.values(), ids=TAMPERING.keys())
def test_known_ways_of_tampering_with_tests_that_run_as_one(judge: Judge, code: str) -> None:
    tests = source(BESIDE, more=FIXTURE) + "\nclass More(TestCases):\n    pass\n"
    result = judge.grade(problem(tests), code, "python")
    assert result.verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR), result
    assert result.in_process


def test_tests_of_the_programs_own_are_no_tests(judge: Judge) -> None:
    program = "import unittest\nclass Own(unittest.TestCase):\n    def test_x(self): self.fail()\ndef test_y(): assert 0\ndef f(x): return x + 1"
    assert judge.grade(problem(TOGETHER), program, "python").verdict is Verdict.ACCEPTED


# Sources whose fixtures a test needs: f(self.v) is to be 4.
FIXTURES = {
    "class": "import unittest\nclass T(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls): cls.v = 3\n    @classmethod\n    def tearDownClass(cls): del cls.v\n    def test_a(self): self.assertEqual(f(self.v), 4)\n",
    "module": "import unittest\nV = []\ndef setUpModule(): V.append(3)\ndef tearDownModule(): V.clear()\nclass T(unittest.TestCase):\n    def test_a(self): self.assertEqual(f(V[0]), 4)\n",
    "asynchronous": "import unittest\nclass T(unittest.IsolatedAsyncioTestCase):\n    async def asyncSetUp(self): self.v = 3\n    async def test_a(self): self.assertEqual(f(self.v), 4)\n",
    "starts itself": "import unittest\nclass T(unittest.TestCase):\n    def setUp(self): self.v = 3\n    def test_a(self): self.assertEqual(f(self.v), 4)\nunittest.main()\n",
    "assertion of its own": "import unittest\nclass T(unittest.TestCase):\n    def assertEqual(self, one, other): super().assertEqual(one, str(other))\n    def test_a(self): self.assertEqual(str(f(3)), 4)\n",
}  # fmt: skip


def test_fixtures_are_run(judge: Judge) -> None:
    assert {name for name, tests in FIXTURES.items() if not has_in_process_tests(expand_tests(problem(tests)))} == set()
    for code, verdict in (("def f(x): return x + 1", Verdict.ACCEPTED), ("def f(x): return x", Verdict.WRONG_ANSWER)):
        assert outcomes(judge, code, FIXTURES) == dict.fromkeys(FIXTURES, verdict), code


CLEANUPS = {
    "tearDownClass": "    @classmethod\n    def tearDownClass(cls): assert f(0) == 1\n",
    "addClassCleanup": "    @classmethod\n    def setUpClass(cls): cls.addClassCleanup(cls.last)\n    @classmethod\n    def last(cls): assert f(0) == 1\n",
    "tearDownModule": "def tearDownModule(): assert f(0) == 1\n",
}  # fmt: skip


def test_what_fails_afterwards_fails(judge: Judge) -> None:
    sources = {name: CASE + cleanup for name, cleanup in CLEANUPS.items()}
    for code, verdict in (("def f(x): return x + 1", Verdict.ACCEPTED), ("def f(x): return 2", Verdict.WRONG_ANSWER)):
        assert outcomes(judge, code, sources) == dict.fromkeys(CLEANUPS, verdict), code
