# ruff: noqa: E501  # tables of whole programs
"""Unittest form: what can be converted is judged outside; the rest runs beside the program, watched and labelled."""

import json
import re
import resource
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import pytest
from grading.judging import QUICK
from grading.unittesting import ADDS, BESIDE, FIXTURE, TAMPERING, judged, problem, source
from support.thinned import thinned

from app.domain.errors import InvalidProblem
from app.domain.imports import ImportedProgram
from app.domain.judging.problem_file import parse_problem
from app.domain.judging.verdicts import Verdict
from app.domain.problems import Entry, Form, Limits, ProblemSpec, Test
from app.domain.unittests.assertions import ConvertedTest, DirectTest
from app.domain.unittests.reference import mark_beside
from workers.grading.answering_judge import AnsweringJudge
from workers.grading.judge import Judge
from workers.grading.proofs import prove
from workers.grading.unittests import expand_tests, pack, unpack

pytestmark = pytest.mark.sandbox

# Program, test body.
RIGHT = {
    "equal": (ADDS, "self.assertEqual(f(1, 2), 3)"),
    "through a name": (ADDS, "result = f(1, 2)\nself.assertTrue(result > 2)\nself.assertIsInstance(result, int)"),
    "literal locals": (ADDS, "a, b = 1, 2\nwanted = a + b\nself.assertEqual(f(a, b), wanted)"),
    "two calls": (ADDS, "self.assertEqual(f(1), 1)\nself.assertNotEqual(f(2), 1)"),
    "tuple": ("def f(x): return (x, [x])", "self.assertEqual(f(1), (1, [1]))"),
    "set": ("def f(x): return {x, 2}", "self.assertSetEqual(f(1), {2, 1})"),
    "counter": ("import collections\ndef f(x): return collections.Counter(x)", "self.assertEqual(f('aab'), {'a': 2, 'b': 1})"),
    "keys that are no text": ("def f(x): return {x: None}", "self.assertDictEqual(f((1, 2)), {(1, 2): None})"),
    "bytes and complex": ("def f(x): return [bytes(x), 1j]", "self.assertEqual(f(b'a'), [b'a', 1j])"),
    "nearly": ("def f(): return 0.1 + 0.2", "self.assertAlmostEqual(f(), 0.3)\nself.assertAlmostEqual(f(), 0.31, delta=0.1)\nself.assertAlmostEqual(f(), 0.31, 1)"),
    "keywords": ("def f(*, a, b=2): return a * b", "self.assertEqual(f(a=3), 6)\nself.assertEqual(f(b=1, a=3), 3)"),
    "raises": ("def f(x): raise KeyError(x)", "self.assertRaises(KeyError, f, 1)\nwith self.assertRaises(LookupError):\n    f(2)\nwith self.assertRaises((ValueError, KeyError)):\n    f(3)"),
    "a program's own error": ("class E(ValueError): pass\ndef f(): raise E", "with self.assertRaises(ValueError):\n    f()"),
    "exits": ("import sys\ndef f(): sys.exit(3)", "with self.assertRaises(SystemExit):\n    f()"),
    "loop": ("def f(): return {'a': 1}", "found = f()\nfor key in found:\n    self.assertIn(key, ['a'])\n    self.assertEqual(found[key], 1)"),
    "loop over a call": ("def f(): return [(1, 2)]", "for a, b in f():\n    self.assertLess(a, b)"),
    "comprehension": ("def f(): return [1, 2]", "self.assertTrue(all(isinstance(x, int) for x in f()))"),
    "none": ("def f(): pass", "self.assertIsNone(f())\nself.assertFalse(f())\nself.assertIs(f(), None)"),
    "bare assert": (ADDS, "assert f(1, 1) == 2, 'two'"),
    "the tests' imports": ("def f(x): return json.dumps(x)", "self.assertEqual(f([1]), '[1]')"),
}  # fmt: skip


# Each case is a function of its own, made among the names of the program, which is told by a number which of them it
# is: all of them are tests of one program, in one sandbox.
MANY = """
CODES = {codes!r}
def f(case, *given, **named):
    space = dict(globals())
    exec(CODES[case], space)
    return space["f"](*given, **named)
"""
_CALL = re.compile(r"\bf(\(|, )")


def told(place: int, body: str) -> str:
    """A test body whose calls of `f` say which case it is."""
    return _CALL.sub(lambda call: f"f{call[1]}{place}, ", body)


def holds(judge: Judge, cases: Mapping[str, tuple[str, str]], limits: Limits, head: str = "import unittest") -> None:
    """Each of these is converted, and right."""
    bodies = [told(place, body) for place, (_, body) in enumerate(cases.values())]
    spec = replace(problem(source(*bodies, head=head)), limits=limits)
    parts = [test.input[0] for test in expand_tests(spec).tests]
    assert [name for name, part in zip(cases, parts, strict=True) if not isinstance(part, ConvertedTest)] == []
    result = judge.grade(spec, MANY.format(codes=[code for code, _ in cases.values()]), "python", all_tests=True)
    wrong = [name for name, test in zip(cases, result.tests, strict=True) if test.verdict is not Verdict.ACCEPTED]
    assert (wrong, result.in_process) == ([], False), result


def test_converted_and_right(judge: Judge) -> None:
    holds(judge, RIGHT, QUICK, head="import unittest\nimport json")


WRONG = {
    "value": ("def f(x): return x", "self.assertEqual(f(1), 2)"),
    "list for a tuple": ("def f(): return [1]", "self.assertEqual(f(), (1,))"),
    "equals everything": ("class A:\n    def __eq__(self, o): return True\n    def __hash__(self): return 1\ndef f(): return A()", "self.assertEqual(f(), 'x')"),
    "text that lies": ("class S(str):\n    def __eq__(self, o): return True\n    __hash__ = str.__hash__\ndef f(): return S('b')", "self.assertEqual(f(), 'a')"),
    "number that lies": ("class N(int):\n    def __eq__(self, o): return True\ndef f(): return N(1)", "self.assertEqual(f(), 2)"),
    "another error": ("def f(): raise TypeError", "with self.assertRaises(ValueError):\n    f()"),
    "no error": ("def f(): return 1", "self.assertRaises(ValueError, f)"),
    "a name like an error's": ("class ValueError(Exception): pass\ndef f(): raise ValueError", "with self.assertRaises(ValueError):\n    f()"),
    "patched unittest": ("import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef f(): return 1", "self.assertEqual(f(), 2)"),
    "patched encoder": ("import json\njson.dumps = lambda *a, **k: '[[\"returned\",true]]'\ndef f(): return 1", "self.assertEqual(f(), 2)"),
    "too deep": ("def f():\n    x = []\n    for _ in range(10 ** 5): x = [x]\n    return x", "self.assertEqual(f(), [])"),
    "holds itself": ("def f():\n    x = []\n    x.append(x)\n    return x", "self.assertEqual(f(), [])"),
    "too long": ("def f(): return 'a' * 10 ** 6", "self.assertEqual(f(), 'a')"),
    "hashes alike": ("import os\ndef f():\n    keys = ','.join(str(i * (2 ** 61 - 1)) for i in range(20000))\n    left = f'V[[\"returned\",[\"s\",{keys}]]]\\n'.encode()\n    while left: left = left[os.write(5, left):]\n    os._exit(0)", "self.assertEqual(f(), {1})"),
    "index past the end": ("def f(): return []", "self.assertEqual(f()[0], 1)"),
    "nan": ("def f(): return float('nan')", "self.assertEqual(f(), 1.0)\nself.assertAlmostEqual(f(), 1.0)"),
    "raises": ("def f(): return 1 / 0", "self.assertEqual(f(), 1)"),
    "leaves": ("import os\ndef f(): os._exit(0)", "self.assertEqual(f(), 1)"),
    "leaves with a word": ("import sys\nsys.exit(0)", "self.assertEqual(f(), 1)"),
    "is not there": ("def g(): return 1", "self.assertEqual(f(), 1)"),
    "writes of its own": ("import os\ndef f():\n    os.write(5, b'V[]\\n')\n    os._exit(0)", "self.assertEqual(f(), 1)"),
    "writes what cannot be read": ("import os\ndef f():\n    os.write(5, b'V[[\"returned\",[[],1]]]\\n')\n    os._exit(0)", "self.assertEqual(f(), 1)"),
    "writes a stray kind": ("import os\ndef f():\n    os.write(5, b'V{\"a\":1}\\n')\n    os._exit(0)", "self.assertEqual(f(), 1)"),
}  # fmt: skip


# What takes for ever to compare is cut by one clock, which "digits" meets below in an ordinary run.
@pytest.mark.parametrize(
    ("code", "body"),
    [pytest.param(*case, id=name, marks=[pytest.mark.slow] * (name == "hashes alike")) for name, case in WRONG.items()],
)
def test_converted_and_wrong(judge: Judge, code: str, body: str) -> None:
    result = judged(judge, code, body)
    assert result.verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR, Verdict.MEMORY_LIMIT), result
    assert not result.in_process


def test_what_is_expected_never_goes_into_the_sandbox() -> None:
    from workers.grading.run_verdict import program_limits
    from workers.grading.sandbox.protocol import ProgramRun
    from workers.grading.toolchains import known_languages
    from workers.grading.unittests import UnittestGrader

    told: list[bytes] = []

    class Listener:
        def run(self, bounds: Any, sink: Any, *, stdin: bytes = b"", call: bytes | None = None) -> ProgramRun:
            told.append(stdin + (call or b""))
            return ProgramRun(0, 0.0, 0.0, 0)

        def start(self, bounds: Any, sink: Any) -> Any:
            raise NotImplementedError

        def renew(self) -> None:
            pass

    spec = expand_tests(problem(source("self.assertEqual(f(11), 'e22e33')", "x = f(12)\nself.assertIn(x, ['e44e55'])")))
    limits = program_limits(QUICK, known_languages()["python"], 1.0)
    referee = UnittestGrader(spec.entry, b"", limits, lambda: nullcontext(Listener()))
    for test in spec.tests:
        referee.judge(Listener(), test)
    assert len(told) == 2
    assert all(hidden not in each for each in told for hidden in (b"e22e33", b"e44e55", b"TestCases"))


# Values of other types than the assertions name: program, test body.
ALIKE = {
    "range": ("def f(n): return range(n)", "self.assertEqual(list(f(3)), [0, 1, 2])\nself.assertNotEqual(f(3), [0, 1, 2])"),
    "map": ("def f(n): return map(str, range(n))", "self.assertEqual(list(f(2)), ['0', '1'])"),
    "generator": ("def f(n):\n    yield from range(n)", "r = f(3)\nself.assertEqual(sum(r), 3)\nself.assertEqual(list(r), [])"),
    "itertools": ("import itertools\ndef f(n): return itertools.permutations(range(n))", "self.assertEqual(sorted(f(2)), [(0, 1), (1, 0)])"),
    "keys": ("def f(): return {1: 2}.keys()", "self.assertEqual(set(f()), {1})\nself.assertEqual(len(f()), 1)"),
    "values and items": ("def f(n): return [{1: 2}.values(), {1: 2}.items()][n]", "self.assertEqual(list(f(0)), [2])\nself.assertEqual(dict(f(1)), {1: 2})"),
    "named tuple": ("from collections import namedtuple\nP = namedtuple('P', 'a b')\ndef f(): return P(1, 2)", "self.assertEqual(f(), (1, 2))"),
    "enumeration": ("import enum\nclass E(enum.IntEnum):\n    A = 1\ndef f(): return E.A", "self.assertEqual(f(), 1)"),
    "text of its own class": ("class S(str): pass\ndef f(): return S('a')", "self.assertEqual(f(), 'a')"),
    "bytearray": ("def f(): return bytearray(b'ab')", "self.assertEqual(f(), b'ab')"),
    "deque": ("from collections import deque\ndef f(): return deque([1])", "self.assertEqual(len(f()), 1)\nself.assertNotEqual(f(), [1])"),
    "large integers": ("def f(): return [10 ** 50 + i for i in range(2000)]", "self.assertEqual(sum(f()), 2000 * 10 ** 50 + 1999000)"),
    "a larger one": ("def f(x): return -x", "self.assertEqual(f(10 ** 5000), -10 ** 5000)"),
    "many": ("def f(): return list(range(200_000))", "self.assertEqual(len(f()), 200000)"),
    "long": ("def f(): return 'ab' * 400_000", "self.assertEqual(f(), 'ab' * 400000)"),
    "a long range": ("def f(): return range(10 ** 9)", "self.assertEqual(len(f()), 10 ** 9)"),
    "many keys": ("def f(): return set(range(60_000))", "self.assertEqual(len(f()), 60000)"),
    "large integers as keys": ("def f(): return [10 ** 50 + i for i in range(2000)]", "self.assertEqual(len(set(f())), 2000)"),
}  # fmt: skip


def test_converted_whatever_the_type(judge: Judge) -> None:
    holds(judge, ALIKE, Limits(1000, 128, 8192))


# Right programs whose values cannot leave the sandbox: program, test body, one that does not hold.
UNPACKED = {
    "fraction": ("from fractions import Fraction\ndef f(): return Fraction(1, 2)", "self.assertEqual(f(), 0.5)", "self.assertEqual(f(), 0.25)"),
    "decimal": ("from decimal import Decimal\ndef f(): return Decimal('0.5')", "self.assertAlmostEqual(float(f()), 0.5)", "self.assertEqual(f(), 1)"),
    "object": ("class P: pass\ndef f(): return P()", "self.assertIsNotNone(f())", "self.assertFalse(f())"),
    "as text": ("class P:\n    def __str__(self): return 'P'\ndef f(): return [P()][0]", "self.assertEqual(str(f()), 'P')", "self.assertEqual(str(f()), 'Q')"),
    "equality of its own": ("class P(int):\n    def __eq__(self, o): return type(o) in (int, P) and int(o) == int(self)\n    __hash__ = int.__hash__\ndef f(): return P(3)", "self.assertEqual(f(), 3)", "self.assertEqual(f(), 4)"),
    "without an end": ("import itertools\ndef f(): return itertools.count()", "self.assertEqual(list(zip(f(), 'ab')), [(0, 'a'), (1, 'b')])", "self.assertEqual(list(zip(f(), 'ab')), [])"),
    "deep": ("def f():\n    x = []\n    for _ in range(2000): x = [x]\n    return x", "self.assertEqual(len(f()), 1)", "self.assertEqual(len(f()), 2)"),
    "longer than is read": ("def f(): return 'a' * 5_000_000", "self.assertEqual(len(f()), 5000000)", "self.assertEqual(len(f()), 1)"),
}  # fmt: skip


AS_FRACTION = ("decimal", "object", "as text")  # of another module, and of the program's own


@pytest.mark.parametrize(
    ("code", "body", "wrong"),
    [pytest.param(*case, id=name, marks=[pytest.mark.slow] * (name in AS_FRACTION)) for name, case in UNPACKED.items()],
)
def test_values_that_cannot_leave_are_wrong_but_where_the_reference_has_them_too(
    judge: Judge, code: str, body: str, wrong: str
) -> None:
    spec = problem(source(body))
    assert isinstance(expand_tests(spec).tests[0].input[0], ConvertedTest)
    result = judge.grade(spec, code, "python")
    assert (result.verdict, result.in_process) == (Verdict.WRONG_ANSWER, False), result
    assert "cannot be judged outside the program" in result.message
    tried = judge.grade(spec, code, "python", proving=True)
    decided = [name for _place, name in tried.unpacked]
    assert (tried.verdict, tried.in_process) == (Verdict.ACCEPTED, True)
    assert decided == ["TestCases.test_0", *(["TestCases.test_0#999"] if "__eq__" in code else [])]
    for tests, verdict in ((body, Verdict.ACCEPTED), (wrong, Verdict.WRONG_ANSWER)):
        beside = judge.grade(problem(source(tests), counts={"beside": decided}), code, "python")
        assert (beside.verdict, beside.in_process) == (verdict, True), beside


def test_a_proof_decides_once_which_tests_run_beside_programs(judge: AnsweringJudge) -> None:
    code = "from fractions import Fraction\ndef f(n): return Fraction(n, 2) if n else 0"
    spec = problem(source("self.assertEqual(f(0), 0)", "self.assertEqual(f(1), 0.5)"))
    references = [ImportedProgram("reference", "python", code, reference=True)]
    proof = prove(judge, spec, references)
    assert (proof.proven, proof.beside) == (True, {"0": ["TestCases.test_1"]}), proof
    liar = "class A:\n    def __eq__(self, o): return type(o) is not object\ndef f(n): return A()"
    decided = replace(spec, tests=mark_beside(spec.tests, proof.beside))
    result = judge.grade(decided, liar, "python")
    assert (result.verdict, result.in_process, result.passed) == (Verdict.WRONG_ANSWER, True, 0), result
    assert prove(judge, decided, references).beside == {}


def test_an_object_that_lies_of_its_equality_is_wrong(judge: Judge) -> None:
    liar = "class A:\n    def __eq__(self, o): return type(o) is not object\ndef f(*p): return A()"
    result = judged(judge, liar, "self.assertEqual(f(1, 2), 3)")
    assert (result.verdict, result.in_process) == (Verdict.WRONG_ANSWER, False), result


def test_a_test_that_is_not_there_cannot_run_beside(judge: Judge) -> None:
    spec = problem(source("self.assertEqual(f(), 1)"), counts={"beside": ["TestCases.other"]})
    assert "TestCases.other" in judge.grade(spec, "def f(): return 1", "python").message


# Values that are right or wrong, but take for ever to compare: program, test body.
COSTLY = {
    "digits": ("def f(): return [7 ** 100_000, -10 ** 9]", "r = f()\nself.assertEqual(round(r[0], r[1]), 5)"),
    "sorting": ("def f(): return [0] * 150_000", "r = f()\nself.assertEqual([sorted(r) for x in r], 5)"),
    "counting": ("def f(): return list(range(200_000))", "r = f()\nself.assertTrue(all(r.count(x) == 2 - (x < 199_999) for x in r))"),
    "alike keys": ("def f(): return {i * (2 ** 61 - 1) for i in range(40_000)}", "self.assertEqual(len(f()), 5)"),
}  # fmt: skip


@pytest.mark.parametrize("name", thinned(COSTLY, 4))
def test_work_that_a_program_makes_on_this_side_has_an_end(judge: Judge, name: str) -> None:
    code, body = COSTLY[name]
    before = resource.getrusage(resource.RUSAGE_SELF)
    result = judge.grade(replace(problem(source(body)), limits=Limits(1000, 128, 8192)), code, "python")
    after = resource.getrusage(resource.RUSAGE_SELF)
    # Which of its bounds it meets first is a matter of the machine's speed.
    ends = (Verdict.WRONG_ANSWER, Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.RUNTIME_ERROR)
    assert result.verdict in ends, result
    assert after.ru_utime - before.ru_utime < 2
    assert after.ru_maxrss - before.ru_maxrss < 64 << 10


def test_a_long_program_does_not_hold_its_judge(judge: Judge) -> None:
    code = ADDS + "x = '" + "unittest." * 20_000 + "'\n"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    assert judged(judge, code, BESIDE, more=FIXTURE).verdict is Verdict.ACCEPTED
    assert resource.getrusage(resource.RUSAGE_SELF).ru_utime - before < 3


# --- beside the program -----------------------------------------------------------------------------------------------


def test_what_cannot_be_converted_runs_beside_and_is_labelled(judge: Judge) -> None:
    right = judged(judge, ADDS, BESIDE, "self.assertEqual(f(2, 2), 4)", more=FIXTURE)
    assert (right.verdict, right.in_process, right.total) == (Verdict.ACCEPTED, True, 2)
    wrong = judged(judge, ADDS, BESIDE.replace("1, 2", "1, 1"), more=FIXTURE)
    assert (wrong.verdict, wrong.in_process, "in-process grading" in wrong.message) == (
        Verdict.WRONG_ANSWER,
        True,
        True,
    )
    assert "AssertionError: 2" not in wrong.message


def test_tests_that_patch_run_beside(judge: Judge) -> None:
    tests = (
        "import unittest\nfrom unittest.mock import patch, ANY\nclass T(unittest.TestCase):\n    @patch('os.getcwd', return_value='/x')\n"
        "    def test_patched(self, fake):\n        self.assertEqual(f(), '/x')\n        self.assertEqual(f(), ANY)\n        fake.assert_called()\n"
    )
    assert judge.grade(problem(tests), "import os\ndef f(): return os.getcwd()", "python").verdict is Verdict.ACCEPTED
    assert judge.grade(problem(tests), "def f(): return '/y'", "python").verdict is Verdict.WRONG_ANSWER


def test_functions_and_loose_asserts_run_beside_too(judge: Judge) -> None:
    tests = "import random\ndef check(candidate):\n    random.seed(1)\n    assert candidate(2) == 4\n"
    assert judge.grade(problem(tests), "def f(x): return x + x", "python").verdict is Verdict.ACCEPTED
    assert judge.grade(problem(tests), "def f(x): return x", "python").verdict is Verdict.WRONG_ANSWER
    loose = "import random\nrandom.seed(1)\nassert f(2) == 4\n"
    assert judge.grade(problem(loose), "def f(x): return x + x", "python").verdict is Verdict.ACCEPTED
    assert judge.grade(problem(loose), "def f(x): return x", "python").verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize("name", thinned(TAMPERING, 3))
def test_known_ways_of_tampering_are_not_accepted(judge: Judge, name: str) -> None:
    code = TAMPERING[name]
    result = judged(judge, code, BESIDE, more=FIXTURE)
    assert result.verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR), result
    assert result.in_process


SAID_ONLY = {
    "comment": "def f(*p):\n    # os._exit and sys.settrace are not used\n    return sum(p)",
    "docstring": 'import builtins\ndef f(*p):\n    """No sys.settrace."""\n    return sum(p)',
    "text of several parts": "'unittest.TestCase.run = 1'\\\n'/proc/self'\ndef f(*p): return sum(p)",
}
DONE = {
    "after a comment": "import os  # leaves\ndef f(*p): os . _exit(0)",
    "after text": "'a'; import os\ndef f(*p): 'b'; os._exit(0)",
    "in text that is run": "def f(*p):\n    'import os; os._exit(0)'\n    exec(f.__doc__)",
    "in text": "def f(*p): exec('import os; os._exit(0)')",
    "apart": "import unittest\ndef f(*p):\n    unittest . \\\n  case . TestCase = 1\n    return sum(p)",
    "in another encoding": "# coding: utf-7\nimport os\n# +AAo-os._exit(0)\ndef f(*p): return sum(p)",
    "after another line end": "import os # a\rdef f(*p): os._exit(0)",
}


@pytest.mark.parametrize("code", SAID_ONLY.values(), ids=SAID_ONLY.keys())
def test_what_a_program_only_says_is_no_tampering(judge: Judge, code: str) -> None:
    result = judged(judge, code, BESIDE, more=FIXTURE)
    assert result.verdict is Verdict.ACCEPTED, result


@pytest.mark.parametrize("code", DONE.values(), ids=DONE.keys())
def test_what_a_program_does_is_found_wherever_it_stands(judge: Judge, code: str) -> None:
    result = judged(judge, code, BESIDE, more=FIXTURE)
    assert "refuses programs" in result.message, result


def test_assertions_that_do_not_run_are_missed(judge: Judge) -> None:
    body = "if f():\n    self.assertEqual(f(), self.wanted)"
    counts = {"tests": 1, "assertions": {"TestCases.test_0": 1}}
    spec = problem(source(body, more=FIXTURE), counts=counts)
    assert judge.grade(spec, "def f(): return 3", "python").verdict is Verdict.ACCEPTED
    result = judge.grade(spec, "def f(): return 0", "python")
    assert (result.verdict, "fewer assertions" in result.message) == (Verdict.WRONG_ANSWER, True)
    least = expand_tests(problem(source(BESIDE, more=FIXTURE))).tests[0].input[0]
    assert isinstance(least, DirectTest)
    assert least.assertions == 1


def test_a_count_of_tests_that_is_not_met_is_our_fault(judge: Judge) -> None:
    spec = problem(source("self.assertEqual(f(1), 1)"), counts={"tests": 2})
    assert judge.grade(spec, ADDS, "python").verdict is Verdict.JUDGE_ERROR


@pytest.mark.parametrize("tests", ["", "x = 1", "def broken(:", "import numpy\n" + source("self.assertEqual(f(1), 1)")])
def test_tests_that_cannot_be_judged_are_our_fault(judge: Judge, tests: str) -> None:
    result = judge.grade(problem(tests), ADDS, "python")
    assert (result.verdict, bool(result.message)) == (Verdict.JUDGE_ERROR, True)


def test_the_stub_comes_first(judge: Judge) -> None:
    spec = problem(source("self.assertEqual(f(4), 2.0)"), preamble="import math\ndef f(x):\n    pass\n")
    assert judge.grade(spec, "def f(x): return math.sqrt(x)", "python").verdict is Verdict.ACCEPTED
    assert judge.grade(spec, "y = 1", "python").verdict is Verdict.WRONG_ANSWER


def test_leetcodes_names_are_not_there(judge: Judge) -> None:
    assert judged(judge, "def f(): return inf", "self.assertTrue(f())").verdict is Verdict.RUNTIME_ERROR


def test_the_field_test_holds_the_source() -> None:
    data = {"id": "b", "form": "unittest", "entry": {"name": "f"}, "test": source("self.assertEqual(f(), 1)")}
    assert parse_problem(data).tests == (Test(data["test"], None),)
    for wrong in ({"tests": [{"input": 3}]}, {"tests": [{"input": "x", "expected": 3}]}):
        with pytest.raises(InvalidProblem):
            parse_problem({"id": "b", "form": "unittest", **wrong})


def test_other_languages_have_no_unittest(judge: Judge) -> None:
    spec = ProblemSpec("u", Form.UNITTEST, (Test("assert f()", None),), QUICK, entry=Entry("f"))
    assert judge.grade(spec, "int main() {}", "cpp").verdict is Verdict.JUDGE_ERROR


@pytest.mark.parametrize(
    "value",
    [1, 0.5, None, True, "l", [1, [2]], (1,), {1, 2}, frozenset({3}), {"a": (1,), 2: b"x"}, 1j, float("inf")],
)
def test_values_survive_packing(value: Any) -> None:
    assert unpack(json.loads(json.dumps(pack(value)))) == value


def test_large_integers_survive_packing() -> None:
    assert unpack(json.loads(json.dumps(pack([-(9**9999)])))) == [-(9**9999)]
