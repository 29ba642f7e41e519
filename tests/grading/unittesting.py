# ruff: noqa: E501  # a table of whole programs
"""Short ways to ask for tests of the unittest form, and what tampers with them."""

import textwrap
from typing import Any

from grading.judging import QUICK

from app.domain.judging.problem_file import parse_problem
from app.domain.judging.verdicts import GradeResult
from app.domain.problems import ProblemSpec
from workers.grading.judge import Judge

ADDS = "def f(*p):\n    return sum(p)\n"


def source(*bodies: str, more: str = "", head: str = "import unittest") -> str:
    """A TestCase with a test per body."""
    lines = [head, "class TestCases(unittest.TestCase):", textwrap.indent(more, "    ")]
    for number, body in enumerate(bodies):
        lines += [f"    def test_{number}(self):", textwrap.indent(body, "        ")]
    return "\n".join(lines)


def problem(tests: str, name: str | None = "f", preamble: str = "", counts: Any = None) -> ProblemSpec:
    limits = {"time_ms": QUICK.time_ms, "memory_mb": QUICK.memory_mb, "output_kb": QUICK.output_kb}
    data = {"id": "u", "form": "unittest", "entry": {"name": name, "preamble": preamble}, "limits": limits}
    return parse_problem({**data, "tests": [{"input": tests, "expected": counts}]})


def judged(judge: Judge, code: str, *bodies: str, more: str = "", **given: Any) -> GradeResult:
    return judge.grade(problem(source(*bodies, more=more), **given), code, "python")


# A test that runs beside the program.
FIXTURE = "def setUp(self):\n    self.wanted = 3\n"
BESIDE = "result = f(1, 2)\nself.assertEqual(result, self.wanted)"

TAMPERING = {
    "patches an assertion": "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\ndef f(*p): return 1",
    "patches through a name": "import unittest\nT = getattr(unittest, 'Test' + 'Case')\nfor n in dir(T):\n    if n.startswith('assertE'): setattr(T, n, lambda *a: None)\ndef f(*p): return 1",
    "patches when it is called": "def f(*p):\n    u = __import__('unittest')\n    T = u.TestCase\n    T.run = lambda *a: None\n    return 1",
    "patches the result": "def f(*p):\n    u = __import__('unittest')\n    R = u.TestResult\n    R.addFailure = R.addError = lambda *a: None\n    return 1",
    "patches code": "import unittest\ndef none(self, first, second, msg=None): pass\nT = unittest.TestCase\nm = T.assertEqual\nsetattr(m, '__code__', none.__code__)\ndef f(*p): return 1",
    "another unittest": "import sys, types\nm = types.ModuleType('unittest')\nclass TestCase: pass\nm.TestCase = TestCase\nsys.modules['unittest'] = m\ndef f(*p): return 1",
    "equals everything": "class A:\n    def __eq__(self, o): return True\n    def __ne__(self, o): return False\ndef f(*p): return A()",
    "equals everything of a kind": "class A:\n    def __eq__(self, o): return type(o) is int\n    def __ne__(self, o): return not self == o\ndef f(*p): return A()",
    "stops the test": "import unittest\ndef f(*p): raise unittest.SkipTest('no')",
    "leaves": "import os, sys\ndef f(*p): sys.exit(0)",
    "leaves at once": "import os\nleave = getattr(os, '_ex' + 'it')\nleave(0)",
    "writes facts of its own": "import os\ndef f(*p):\n    os.write(5, b'V{}\\n')\n    getattr(os, '_ex' + 'it')(0)",
    "says that a test cannot be run": "import os\ndef f(*p):\n    os.write(5, b'V{\"tampered\": [], \"unready\": [\"test_x\"], \"bad\": 0, \"skipped\": 0, \"tests\": 9, \"assertions\": 9}\\n')\n    getattr(os, '_ex' + 'it')(0)",
    "replaces the test": "class Meta(type): pass\ndef f(*p):\n    import sys\n    T = sys.modules['solution'].TestCases\n    T.test_0 = lambda self: None\n    return 1",
    "names its own equality": "import operator\noperator.eq = lambda a, b: True\ndef f(*p): return 1",
    "reads the frame": "import sys\ndef f(*p): return sys._getframe(1).f_locals['self'].wanted",
}  # fmt: skip
