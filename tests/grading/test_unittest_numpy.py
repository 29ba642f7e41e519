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


@pytest.mark.parametrize(
    ("value", "body", "verdict"),
    [
        ("np.int64(3)", "self.assertEqual(f(), 3)", RIGHT),
        ("np.int64(3)", "self.assertEqual(f(), 4)", WRONG),
        ("np.int64(3)", "self.assertIsInstance(f(), int)", WRONG),
        ("np.float64(0.5)", "self.assertEqual(f(), 0.5)", RIGHT),
        ("np.float64(0.5)", "self.assertIsInstance(f(), float)", RIGHT),
        ("np.float32(0.5)", "self.assertEqual(f(), 0.5)", RIGHT),
        ("np.float32(0.5)", "self.assertIsInstance(f(), float)", WRONG),
        ("np.bool_(True)", "self.assertTrue(f())", RIGHT),
        ("np.bool_(False)", "self.assertTrue(f())", WRONG),
        ("np.bool_(True)", "self.assertIs(f(), True)", WRONG),
        ("{np.int64(1): [np.int64(2)]}", "self.assertEqual(f(), {1: [2]})", RIGHT),
        ("np.longdouble(3)", "self.assertEqual(f(), 3)", WRONG),  # what it holds no plain value has
        ("type('int64', (np.int64,), {})(3)", "self.assertEqual(f(), 3)", WRONG),  # no class of numpy's
    ],
)
def test_a_scalar_is_what_it_equals(judge: Judge, value: str, body: str, verdict: Verdict) -> None:
    result = judge.grade(problem(source(body)), f"{NUMPY}\ndef f(): return {value}", "python")
    assert (result.verdict, result.in_process) == (verdict, False), result
