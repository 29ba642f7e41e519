"""Scalars of numpy's leave a program as what they equal; `isinstance` still tells them from Python's own."""

import pytest
from grading.unittesting import problem, source

from app.domain.judging.verdicts import Verdict
from workers.grading.judge import Judge

pytestmark = pytest.mark.sandbox

# As much of numpy as counts here: what its scalars are.
NUMPY = """
import sys, types
np = types.ModuleType("numpy")
class generic:
    def __eq__(self, other): return self.item() == other
    def __hash__(self): return hash(self.item())
class int64(generic):
    def __init__(self, value): self.value = value
    def item(self): return self.value
class float32(int64): pass
class bool_(int64): pass
class float64(float, generic):
    __eq__, __hash__ = generic.__eq__, generic.__hash__
    def item(self): return float.__pos__(self)
class longdouble(int64):
    def item(self): return self
for kind in (generic, int64, float32, float64, longdouble, bool_):
    setattr(np, kind.__name__, kind)
sys.modules["numpy"] = np
"""
RIGHT, WRONG = Verdict.ACCEPTED, Verdict.WRONG_ANSWER


# What a function returns, what a test asks of it, and whether that holds.
CASES = [
    ("np.int64(3)", "self.assertEqual(f(N), 3)", RIGHT),
    ("np.int64(3)", "self.assertEqual(f(N), 4)", WRONG),
    ("np.int64(3)", "self.assertIsInstance(f(N), int)", WRONG),
    ("np.float64(0.5)", "self.assertEqual(f(N), 0.5)", RIGHT),
    ("np.float64(0.5)", "self.assertIsInstance(f(N), float)", RIGHT),
    ("np.float32(0.5)", "self.assertEqual(f(N), 0.5)", RIGHT),
    ("np.float32(0.5)", "self.assertIsInstance(f(N), float)", WRONG),
    ("np.bool_(True)", "self.assertTrue(f(N))", RIGHT),
    ("np.bool_(False)", "self.assertTrue(f(N))", WRONG),
    ("np.bool_(True)", "self.assertIs(f(N), True)", WRONG),
    ("{np.int64(1): [np.int64(2)]}", "self.assertEqual(f(N), {1: [2]})", RIGHT),
    ("np.longdouble(3)", "self.assertEqual(f(N), 3)", WRONG),  # what it holds no plain value has
    ("type('int64', (np.int64,), {})(3)", "self.assertEqual(f(N), 3)", WRONG),  # no class of numpy's
]


def test_a_scalar_is_what_it_equals(judge: Judge) -> None:
    values = ", ".join(f"lambda: {value}" for value, _, _ in CASES)
    for verdict in (RIGHT, WRONG):  # by what is not converted, nothing is judged outside
        chosen = [(place, body) for place, (_, body, one) in enumerate(CASES) if one is verdict]
        bodies = [body.replace("N", str(place)) for place, body in chosen]
        code = f"{NUMPY}\ndef f(n): return [{values}][n]()"
        result = judge.grade(problem(source(*bodies)), code, "python", all_tests=True)
        assert not result.in_process, result
        missed = [
            CASES[place] for (place, _), test in zip(chosen, result.tests, strict=True) if test.verdict is not verdict
        ]
        assert missed == []
