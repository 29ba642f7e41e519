# ruff: noqa: E501  # a table of whole programs
"""Ways to pass tests that run beside the program without the right value. None is accepted, and each is the program's
own failure, so that it counts."""

from dataclasses import replace

import pytest
from grading.unittesting import BESIDE, FIXTURE, problem, source

from app.domain.imports import ImportedProgram
from app.domain.judging.verdicts import Verdict
from app.domain.unittests.reference import mark_beside
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import Judge
from workers.grading.proofs import prove

pytestmark = pytest.mark.sandbox

# None of them says a word that a search of the source would find.
_CALLER = "import sys\ndef frames():\n    frame = getattr(sys, '_get' + 'frame')(1)\n    while frame is not None:\n        yield frame\n        frame = frame.f_back\n"
_OBJECTS = "import gc\ndef objects(name):\n    return [one for one in getattr(gc, 'get' + '_objects')() if type(one).__name__ == name]\n"
CHEATS = {
    "the assertions of its own test do nothing": _CALLER + "def f(*p):\n    test = next(x.f_locals['self'] for x in frames() if 'self' in x.f_locals)\n    test.assertEqual = lambda *a: None\n    return 1",
    "its test compares what is equal": _CALLER + "def f(*p):\n    test = next(x.f_locals['self'] for x in frames() if 'self' in x.f_locals)\n    real = test.assertEqual\n    test.assertEqual = lambda *a: real(1, 1)\n    return 1",
    "failures are added to a list that takes none": _OBJECTS + "class Nothing(list):\n    def append(self, one): pass\ndef f(*p):\n    for result in objects('TestResult'):\n        result.failures, result.errors = Nothing(), Nothing()\n    return 1",
    "the result hears of no failure": _OBJECTS + "def f(*p):\n    for result in objects('TestResult'):\n        result.addFailure = result.addError = lambda *a: None\n    return 1",
    "the judge's own counts are mended at the end": _OBJECTS + "import json\ndef f(*p):\n    real = json.dumps\n    def mended(value, *a, **k):\n        if type(value) is dict and 'tampered' in value: value.update(bad=0, skipped=0, tampered=[], assertions=9)\n        return real(value, *a, **k)\n    json.dumps = mended\n    return 1",
    "it returns what the caller expects": _CALLER + "def f(*p):\n    for frame in frames():\n        test = frame.f_locals.get('self')\n        if hasattr(test, 'wanted'): return test.wanted",
    "it reads the constants of the test": _CALLER + "def f(*p):\n    code = next(x.f_code for x in frames() if x.f_code.co_name.startswith('test_'))\n    return [c for c in code.co_consts if type(c) is int][-1]",
    "it equals every small number": "class A:\n    def __eq__(self, o): return type(o) is int and abs(o) < 10 ** 6\n    def __ne__(self, o): return not self == o\n    def __hash__(self): return 1\ndef f(*p): return A()",
    "an executor swallows one error and goes away": "import contextlib\ndef f(*p):\n    import unittest.case as u\n    O = getattr(u, '_Out' + 'come')\n    name = 'testPartExecutor'\n    real = vars(O)[name]\n    for frame in frames():\n        if frame.f_code.co_name == name or 'outcome' in frame.f_locals:\n            frame.f_locals.get('outcome', A).success = True\n    raise Quiet\n" + "class A: pass\nclass Quiet(BaseException): pass\n" + _CALLER,
    "the error of a failure is none": _CALLER + "def f(*p):\n    test = next(x.f_locals['self'] for x in frames() if 'self' in x.f_locals)\n    test.failureException = Skip\n    return 1\nimport unittest\nSkip = getattr(unittest, 'SkipTest')",
    "a failing comparison ends the process": "import os, atexit\nclass A:\n    def __eq__(self, o): getattr(os, '_ex' + 'it')(0)\n    __ne__ = __eq__\ndef f(*p): return A()",
    "the watch is another one": _OBJECTS + "def f(*p):\n    for watch in objects('Watch'):\n        class Blind(type(watch)):\n            bad = property(lambda s: 0, lambda s, v: None)\n            def look(self): pass\n            def decoys(self): pass\n        del watch.__dict__['bad']\n        watch.__class__ = Blind\n    return 1",
}  # fmt: skip
LITERAL = "result = f(1, 2)\nself.assertEqual(result, 3)"


@pytest.mark.parametrize("code", CHEATS.values(), ids=CHEATS)
@pytest.mark.parametrize(
    ("body", "fixture"), [(BESIDE, FIXTURE), (LITERAL, "def setUp(self): pass\n")], ids=["fixture", "literal"]
)
def test_none_of_these_is_accepted_and_each_counts(judge: Judge, code: str, body: str, fixture: str) -> None:
    result = judge.grade(problem(source(body, more=fixture)), code, "python")
    assert result.verdict not in (Verdict.ACCEPTED, Verdict.JUDGE_ERROR), result
    assert result.in_process


# What is expected is computed, or not compared: with another expected value these would not pass.
_YES = "class A(int):\n    def __gt__(self, o): return True\n    def __contains__(self, o): return True\n"
ANSWERING = {
    "equals what it is compared with first": (
        "class A:\n    def __eq__(self, o):\n        self.__dict__.setdefault('first', o)\n        return type(o) is int and o == self.first\n    def __hash__(self): return 1\ndef f(*p): return A()",
        "self.assertEqual(f(1, 2), self.wanted + len(self.more))",
    ),
    "is greater than anything": (_YES + "def f(*p): return A(1)", "self.assertTrue(f(1, 2) > 2)"),
    "is of every class, within a list": (
        "class A:\n    __class__ = int\n    def __gt__(self, o): return True\ndef f(*p): return [A()]",
        "self.assertIsInstance(f(1, 2)[0], int)\nself.assertTrue(f(1, 2)[0] > 2)",
    ),
    "is a mock that says yes": (
        "from unittest.mock import MagicMock\ndef f(*p):\n    one = MagicMock()\n    one.__gt__.return_value = True\n    return one",
        "self.assertTrue(f(1, 2) > 2)",
    ),
}  # fmt: skip
_MORE = FIXTURE + "    self.more = []\n"


@pytest.mark.parametrize(("code", "body"), ANSWERING.values(), ids=ANSWERING)
def test_a_value_that_answers_for_itself_is_wrong(judge: Judge, code: str, body: str) -> None:
    result = judge.grade(problem(source(body, more=_MORE)), code, "python")
    assert (result.verdict, result.in_process) == (Verdict.WRONG_ANSWER, True), result
    assert "answers for itself" in result.message


def test_what_is_computed_to_be_expected_is_another_where_it_is_bound(judge: Judge) -> None:
    mends = "def f(*p):\n    globals()['TestCases'].wanted = property(lambda test: 1, lambda test, value: None)\n    return 1"
    spec = problem(
        source("self.assertEqual(f(1, 2), self.wanted)", more="def setUp(self):\n    self.wanted = sum([1, 2])\n")
    )
    assert judge.grade(spec, "def f(*p): return sum(p)", "python").verdict is Verdict.ACCEPTED
    result = judge.grade(spec, mends, "python")
    assert result.verdict is Verdict.WRONG_ANSWER, result
    assert "whatever is expected" in result.message


def test_where_the_reference_returns_such_a_value_others_may(judge: AnsweringJudge) -> None:
    spec = problem(source("self.assertTrue(f(1, 2) > self.wanted - 1)\nself.assertTrue(f(1) < 2)", more=FIXTURE))
    order = "import functools\n@functools.total_ordering\nclass Sum:\n    def __init__(self, v): self.v = v\n    def __eq__(self, o): return self.v == o\n    def __lt__(self, o): return self.v < o\ndef f(*p): return Sum(sum(p))"
    proof = prove(judge, spec, [ImportedProgram("order", "python", order)])
    assert (proof.proven, proof.beside) == (True, {"0": ["TestCases.test_0#999"]})
    proven = replace(spec, tests=mark_beside(spec.tests, proof.beside))
    assert judge.grade(spec, order, "python").verdict is Verdict.WRONG_ANSWER
    assert judge.grade(proven, order, "python").verdict is Verdict.ACCEPTED
    kept = "import collections, dataclasses\n@dataclasses.dataclass\nclass D:\n    v: int\nP = collections.namedtuple('P', 'v')\ndef f(*p): return [D(sum(p)), P(sum(p)), collections.OrderedDict(v=1)]"
    plain = problem(source("self.assertTrue(f(1, 2)[0].v == f(1, 2)[1].v == self.wanted)", more=FIXTURE))
    assert judge.grade(plain, kept, "python").verdict is Verdict.ACCEPTED


def test_an_honest_program_is_accepted_whatever_is_expected_of_it_otherwise(judge: Judge) -> None:
    body = "result = f(1, 2)\nself.assertEqual(result, self.wanted)\nself.assertTrue(result > 2)\nwith self.assertRaises(TypeError):\n    f('x')"
    result = judge.grade(problem(source(body, more=FIXTURE)), "def f(*p): return sum(p)", "python")
    assert (result.verdict, result.total, len(result.tests)) == (Verdict.ACCEPTED, 1, 1)


def test_a_number_beside_the_bound_is_no_equality(judge: Judge) -> None:
    body = "self.assertLessEqual(f(1, 1), 3)\nself.assertGreaterEqual(f(1, 1), 1)"
    assert (
        judge.grade(problem(source(body, more=FIXTURE)), "def f(*p): return sum(p)", "python").verdict
        is Verdict.ACCEPTED
    )


def test_what_the_reference_passes_too_decides_nothing(judge: AnsweringJudge) -> None:
    # Whether it is, the object says by what is asked: the reference passes the opposite as well.
    body = "import sys\nclass Odd:\n    def __bool__(self): return sys._getframe(1).f_code.co_name == 'assertTrue'\nself.assertTrue(Odd())\nself.assertEqual(f(1, 2), 3)"
    spec = problem(source(body, more=FIXTURE))
    adds = ImportedProgram("adds", "python", "def f(*p): return sum(p)")
    nothing = ImportedProgram("nothing", "python", "def f(*p): return 0", reference=False)
    proof = prove(judge, spec, [adds, nothing])
    assert (proof.proven, proof.reason, proof.beside) == (True, None, {"0": ["TestCases.test_0#0"]})
    proven = replace(spec, tests=mark_beside(spec.tests, proof.beside))
    assert judge.grade(spec, adds.code, "python").verdict is Verdict.WRONG_ANSWER
    assert judge.grade(proven, adds.code, "python").verdict is Verdict.ACCEPTED
    assert judge.grade(proven, nothing.code, "python").verdict is Verdict.WRONG_ANSWER
    assert judge.grade(proven, CHEATS["its test compares what is equal"], "python").verdict is Verdict.WRONG_ANSWER
