# ruff: noqa: E501  # tables of whole programs
"""More ways to pass tests beside the program: by what the tests use, by values that lie within others, by frames. None
is accepted, and honest programs that look like them are."""

import pytest
from grading.unittesting import FIXTURE, problem, source

from app.domain.judging.verdicts import Verdict
from workers.grading.judge import Judge

pytestmark = pytest.mark.sandbox

_LIES = (
    "class A(int):\n    def __eq__(self, o):\n        self.__dict__.setdefault('first', o)\n        return type(o) is int and o == self.first\n"
    "    def __ne__(self, o): return not self == o\n    def __gt__(self, o): return True\n    def __hash__(self): return 1\n"
)
_FREE = _LIES.replace("class A(int)", "class A")
_BY_TRACEBACK = "def frames():\n    try: raise KeyError\n    except KeyError as e: x = e.__traceback__.tb_frame\n    while x is not None:\n        yield x\n        x = x.f_back\n"
IS_GREATER = source("r = f(1, 2)\nself.assertTrue({0} > self.wanted)", more=FIXTURE)
COMPUTED = source("self.assertEqual(f(1, 2), self.wanted + len(self.more))", more=FIXTURE + "    self.more = []\n")
EXISTS = source(
    "f(1, 2)\nself.assertTrue(os.path.exists('/no' + str(self.wanted)))", more=FIXTURE, head="import unittest, os"
)
CLOSE = source(
    "self.assertTrue(statistics.fmean([f(1, 2)]) == self.wanted)", more=FIXTURE, head="import unittest, statistics"
)
ALL = source("self.assertTrue(all(x > self.wanted for x in f(1, 2)))", more=FIXTURE)
ASKED = "import unittest\nfrom unittest.mock import patch\nclass TestCases(unittest.TestCase):\n    @patch('os.getcwd')\n    def test_0(self, cwd):\n        f(1, 2)\n        cwd.assert_called_once_with()\n"
HELPED = "import unittest\ndef same(a, b):\n    assert a == b\nclass TestCases(unittest.TestCase):\n    def setUp(self): self.wanted = 3\n    def test_0(self): same(f(1, 2), self.wanted)\n"
TWICE = source(
    "expected = [1, 2, 3]\nr = f(1, 2)\nself.assertEqual(len(r), len(expected))\nself.assertEqual(r, expected)",
    more=FIXTURE,
)

LOOPED = source("expected = [1, 2, 3]\nr = f(1, 2)\nfor one in expected:\n    self.assertIn(one, r)", more=FIXTURE)


def greater(value: str) -> str:
    return IS_GREATER.replace("{0}", value)


CHEATS = {
    "a class made by exec": (greater("r"), f"exec({_LIES!r})\ndef f(*p): return A(1)"),
    "a class made by exec, equal to what is computed": (COMPUTED, f"exec({_LIES!r})\ndef f(*p): return A(1)"),
    "code under a library's name": (greater("r"), f"import os\nexec(compile({_LIES!r}, os.__file__, 'exec'))\ndef f(*p): return A(1)"),
    "code renamed to a library's": (greater("r"), _LIES + "import os\nA.__gt__.__code__ = A.__gt__.__code__.replace(co_filename=os.__file__)\nfor n in ('__eq__', '__ne__'): delattr(A, n)\ndef f(*p): return A(1)"),
    "fields beside answers of its own": (greater("r"), "import dataclasses\n@dataclasses.dataclass\nclass A:\n    v: int\nexec('def g(self, o): return True')\nA.__gt__ = g\ndef f(*p): return A(1)"),
    "within an ordered dictionary": (greater("r['x']"), _LIES + "import collections\ndef f(*p): return collections.OrderedDict(x=A(1))"),
    "within a view of a dictionary": (greater("r['x']"), _LIES + "import types\ndef f(*p): return types.MappingProxyType({'x': A(1)})"),
    "within a deque": (greater("r[0]"), _LIES + "import collections\ndef f(*p): return collections.deque([A(1)])"),
    "within a named tuple": (greater("r.v"), _LIES + "import collections\nP = collections.namedtuple('P', 'v')\ndef f(*p): return P(A(1))"),
    "within an object": (greater("r.v"), _LIES + "class O: pass\ndef f(*p):\n    o = O()\n    o.v = A(1)\n    return o"),
    "within a list of a user's": (greater("r"), _FREE + "import collections\ndef f(*p):\n    u = collections.UserList()\n    u.data = A()\n    return u"),
    "behind a proxy": (greater("r"), _FREE + "import weakref\na = A()\ndef f(*p): return weakref.proxy(a)"),
    "before many": (greater("r[0]"), _LIES + "def f(*p): return [A(1)] + [1] * 20000"),
    "given by a generator": (greater("next(r)"), _LIES + "def f(*p): yield A(1)"),
    "of an object that is called": (greater("r"), _LIES + "class F:\n    def __call__(self, *p): return A(1)\nf = F()"),
    "of a class that is called": (greater("r"), _LIES + "class f(A):\n    def __new__(cls, *p): return int.__new__(cls, 1)"),
    "a comparison is patched": (EXISTS, "import os\nos.path.exists = lambda p: True\ndef f(*p): return 1"),
    "a comparison is patched, and put back": (EXISTS, "import os\nreal = os.path.exists\ndef fake(p):\n    os.path.exists = real\n    return True\ndef f(*p): os.path.exists = fake"),
    "a generator patches later": (source("r = f(1, 2)\nself.assertTrue(os.path.exists('/no' + str(next(r) + self.wanted)))", more=FIXTURE, head="import unittest, os"), "import os\ndef f(*p):\n    real = os.path.exists\n    def fake(p):\n        os.path.exists = real\n        return True\n    os.path.exists = fake\n    yield 1"),
    "what a comparison calls is patched": (CLOSE, "import statistics\nstatistics.fsum = lambda x: 3\ndef f(*p): return 1"),
    "a comparison has other defaults": (source("self.assertAlmostEqual(f(1, 2), self.wanted)", more=FIXTURE), "import unittest as u\nfor one in (u.TestCase.assertAlmostEqual, u.TestCase.assertNotAlmostEqual): one.__defaults__ = (None, None, 10 ** 9)\ndef f(*p): return 1"),
    "a comparison is patched by a thread": (EXISTS.replace("f(1, 2)", "f(1, 2).join()"), "import os, threading\ndef later():\n    go.wait()\n    os.path.exists = lambda p: True\ngo = threading.Event()\nclass T:\n    def join(self):\n        go.set()\n        t.join()\nt = threading.Thread(target=later)\ndef f(*p):\n    t.start()\n    return T()"),
    "failures are of another kind, until one comes": (greater("r"), "import unittest.case as u\nT = u.TestCase\nclass Stop(getattr(u, '_Should' + 'Stop')):\n    def __init__(self, *a): T.failureException = AssertionError\ndef f(*p):\n    T.failureException = Stop\n    return 1"),
    "another module": (EXISTS, "import sys, types\nsys.modules['os'] = types.SimpleNamespace(path=types.SimpleNamespace(exists=lambda p: True))\ndef f(*p): return 1"),
    "another module, when it is called": (EXISTS, "import types\ndef f(*p): globals()['os'] = types.SimpleNamespace(path=types.SimpleNamespace(exists=lambda p: True))"),
    "a builtin is shadowed": (ALL, "def all(x): return True\ndef f(*p): return [1]"),
    "a builtin is shadowed by another": (ALL, "from builtins import bool as all\ndef f(*p): return [1]"),
    "a builtin is shadowed by a class": (ALL, "class all:\n    def __new__(cls, x): return True\ndef f(*p): return [1]"),
    "a builtin is shadowed, and put back": (ALL, "def fake(x):\n    globals().pop('all')\n    return True\ndef f(*p):\n    globals()['all'] = fake\n    return [1]"),
    "other builtins": (ALL, "globals()['__built' + 'ins__'] = {**vars(__import__('built' + 'ins')), 'all': lambda x: True}\ndef f(*p): return [1]"),
    "the asserts of mocks are patched": (ASKED, "from unittest.mock import NonCallableMock as N\nsetattr(N, 'assert_called_once_with', lambda *a, **k: None)\ndef f(*p): return 1"),
    "a helper of the tests is another": (HELPED, "def f(*p):\n    globals()['same'].__code__ = (lambda a, b: None).__code__\n    return 1"),
    "what is expected, by a traceback": (TWICE, _BY_TRACEBACK + "def f(*p): return next(x.f_locals['expected'] for x in frames() if 'expected' in x.f_locals)"),
    "what is expected in a loop, by a traceback": (LOOPED, _BY_TRACEBACK + "def f(*p): return next(x.f_locals['expected'] for x in frames() if 'expected' in x.f_locals)"),
    "what is expected, by inspecting": (LOOPED, "import inspect\ndef f(*p): return next(x.frame.f_locals['expected'] for x in inspect.stack() if 'expected' in x.frame.f_locals)"),
    "what is expected, by a generator": (LOOPED, "def g(): yield me.gi_frame.f_back\ndef f(*p):\n    global me\n    me = g()\n    x = next(me)\n    while 'expected' not in x.f_locals: x = x.f_back\n    return x.f_locals['expected']"),
}  # fmt: skip
SUM = source("self.assertEqual(sum([f(1, 2)]), self.wanted)", more=FIXTURE)
HONEST = {
    "tests that patch for good": (source("os.getcwd = lambda: 3\nself.assertEqual(f(1, 2), self.wanted)", more=FIXTURE, head="import unittest, os"), "import os\ndef f(*p): return os.getcwd()"),
    "the tests' own mock": (ASKED, "import os\ndef f(*p): os.getcwd()"),
    "a helper of the tests": (HELPED, "def f(*p): return sum(p)"),
    "what is expected": (TWICE, "def f(*p): return [1, 2, 3]"),
    "a name of a library's": (source("self.assertEqual(pow(f(1, 2), 1), self.wanted)", more=FIXTURE), "from math import *\ndef f(*p): return p[0] + p[1]"),
    "a builtin's name that no test uses": (SUM, "def all(x): return True\ndef f(*p): return sum(p)"),
    "library code that looks at frames": (SUM, "import logging, traceback, warnings, collections\ndef f(*p):\n    logging.warning('x')\n    warnings.warn('x')\n    try: 1 / 0\n    except ZeroDivisionError: traceback.format_exc()\n    return sum(collections.namedtuple('N', 'a b')(*p))"),
    "code that is made": (SUM, "exec('def g(*p): return sum(p)')\ndef f(*p): return eval(compile('g(*p)', '<here>', 'eval'), globals(), {'p': p})"),
    "its own names change": (SUM, "count = 0\ndef f(*p):\n    global count\n    count += 1\n    return 3 if count > 5 else f(*p)"),
    "values of libraries": (
        source("r = f(1, 2)\nself.assertTrue(len(r) > self.wanted)\nself.assertEqual(r[0].v, 3)", more=FIXTURE),
        "import collections, dataclasses, datetime, enum, fractions\nfrom sortedcontainers import SortedList\n@dataclasses.dataclass(order=True)\nclass D:\n    v: int\n    w: str = dataclasses.field(default='a', compare=False)\nclass E(enum.Enum):\n    A = 1\ndef f(*p): return [D(3), E.A, fractions.Fraction(1), datetime.date(2020, 1, 1), collections.OrderedDict(a=1), collections.Counter('a'), SortedList(p)]",
    ),
    "a cache": (source("self.assertEqual(f(1, 2) + f(1, 2), self.wanted * 2)\nself.assertEqual(f.cache_info().hits, 1)", more=FIXTURE), "import functools\n@functools.lru_cache\ndef f(*p): return sum(p)"),
    "a generator": (
        source("r = f(1, 2)\nself.assertEqual(next(r) + self.wanted, 4)\nself.assertEqual(r.send(5), 5)\nself.assertEqual(r.throw(KeyError), 6)\nself.assertEqual(list(r), [7])", more=FIXTURE),
        "def f(*p):\n    x = yield 1\n    try: yield x\n    except KeyError: yield 6\n    yield 7",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("tests", "code"), CHEATS.values(), ids=CHEATS)
def test_none_of_these_is_accepted_either(judge: Judge, tests: str, code: str) -> None:
    result = judge.grade(problem(tests), code, "python")
    assert (result.verdict, result.in_process) == (Verdict.WRONG_ANSWER, True), result


@pytest.mark.parametrize(("tests", "code"), HONEST.values(), ids=HONEST)
def test_honest_programs_that_look_alike_are(judge: Judge, tests: str, code: str) -> None:
    result = judge.grade(problem(tests), code, "python")
    assert (result.verdict, result.in_process) == (Verdict.ACCEPTED, True), result
