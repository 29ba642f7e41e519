"""Speed beside the reference: a geometric mean of ratios, and nothing where too little is known."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.board_worlds import run

from app.domain.boards.board import BoardRow, RunUsage
from app.domain.imports import ImportedProgram
from app.domain.judging.speed import (
    CEILING_MS,
    MIN_PROBLEMS,
    ReferenceTime,
    Speed,
    fastest_program,
    judged_limits,
    relative_speed,
)
from app.domain.judging.verdicts import GradeResult, LimitMode, TestOutcome, Verdict
from app.domain.problems import Form, Limits, ProblemSpec
from workers.grading.proofs import REFERENCE_RUNS, prove

times = st.lists(st.tuples(st.floats(0.01, 1e5), st.floats(0.01, 1e5)), min_size=MIN_PROBLEMS, max_size=40)


def timed(*each: float, grader: str = "judge-1") -> list[ReferenceTime]:
    return [ReferenceTime(cpu_ms, grader, "rlimit") for cpu_ms in each]


@given(times)
def test_it_is_the_geometric_mean_of_ratios(pairs: list[tuple[float, float]]) -> None:
    product = math.prod((reference / own) ** (1 / len(pairs)) for reference, own in pairs)
    found = relative_speed(pairs)
    assert found.problems == len(pairs)
    assert found.ratio == pytest.approx(product, rel=1e-9)
    turned = relative_speed([(own, reference) for reference, own in pairs])
    assert turned.ratio is not None
    assert found.ratio is not None
    assert found.ratio * turned.ratio == pytest.approx(1.0)
    assert relative_speed(reversed(pairs)) == found


def test_twice_as_fast_is_two_and_slower_is_below_one() -> None:
    assert relative_speed([(200.0, 100.0)] * 10).ratio == pytest.approx(2.0)
    assert relative_speed([(100.0, 400.0)] * 10).ratio == pytest.approx(0.25)


def test_under_ten_problems_there_is_no_ratio_and_a_time_of_nothing_is_unknown() -> None:
    assert relative_speed([]) == Speed(None, 0)
    assert relative_speed([(1.0, 1.0)] * 9) == Speed(None, 9)
    assert relative_speed([(1.0, 1.0)] * 9 + [(0.0, 1.0), (1.0, 0.0)]) == Speed(None, 9)
    assert relative_speed([(1.0, 1.0)] * 10 + [(0.0, 1.0)]) == Speed(1.0, 10)


def test_the_fastest_reference_is_the_one_of_the_lowest_median() -> None:
    assert fastest_program([]) is None
    assert fastest_program([[], []]) is None
    lucky, steady = timed(1.0, 90.0, 95.0), timed(40.0, 42.0, 41.0, grader="judge-2")
    assert fastest_program([lucky, [], steady]) == ReferenceTime(41.0, "judge-2", "rlimit")
    assert fastest_program([timed(3.0, 1.0)]) == ReferenceTime(1.0, "judge-1", "rlimit")


class Referee:
    """Judges by a list: what each program takes, turn after turn."""

    def __init__(self, taken: dict[str, list[float]]) -> None:
        self.taken = taken

    def grade(self, _problem: ProblemSpec, code: str, language: str) -> GradeResult:
        cpu_ms = self.taken[code].pop(0)
        verdict = Verdict.WRONG_ANSWER if cpu_ms < 0 else Verdict.ACCEPTED
        test = TestOutcome(verdict, abs(cpu_ms), 1.0, 1)
        return GradeResult(verdict, 1, 1, (test,), LimitMode.RLIMIT, f"judge.{language}", in_process=code == "inside")


@pytest.mark.parametrize("spoiled", [False, True])
def test_a_proof_carries_the_fastest_reference_of_each_language(spoiled: bool) -> None:
    taken = {
        "slow": [80.0] * REFERENCE_RUNS,
        "fast": [30.0, 35.0, 90.0],
        "cpp": [4.0] * REFERENCE_RUNS,
        "inside": [1.0] * REFERENCE_RUNS,
        "wrong": [2.0 if spoiled else -2.0],
    }
    programs = [
        ImportedProgram("a", "python", "slow", reference=True),
        ImportedProgram("b", "python", "fast", reference=True),
        ImportedProgram("c", "cpp", "cpp", reference=True),
        ImportedProgram("d", "java", "inside", reference=True),
        ImportedProgram("e", "python", "wrong", reference=False),
    ]
    outcome = prove(Referee(taken), ProblemSpec("p", Form.STDIN, ()), programs)  # type: ignore[arg-type]
    assert outcome.proven is not spoiled
    expected = {
        "python": ReferenceTime(35.0, "judge.python", "rlimit"),
        "cpp": ReferenceTime(4.0, "judge.cpp", "rlimit"),
    }
    assert outcome.times == ({} if spoiled else expected)


class Busy:
    """A judge whose machine has no CPU for one of two tests while the reference is looked at."""

    def importable_modules(self) -> frozenset[str]:
        return frozenset()

    def grade(self, _problem: ProblemSpec, _code: str, _language: str, **how: bool) -> GradeResult:
        first = Verdict.JUDGE_ERROR if how.get("proving") else Verdict.WRONG_ANSWER
        tests = tuple(TestOutcome(verdict, 1.0, 1.0, 1) for verdict in (Verdict.WRONG_ANSWER, first))
        return GradeResult(Verdict.WRONG_ANSWER, 0, 2, tests, LimitMode.RLIMIT, "judge", "the machine was busy")


def test_where_it_is_not_known_which_tests_run_beside_programs_no_reference_is_wrong() -> None:
    """Its values cannot leave it then: only afterwards its tests would be run beside it."""
    programs = [ImportedProgram("a", "python", "code", reference=True)]
    outcome = prove(Busy(), ProblemSpec("p", Form.UNITTEST, ()), programs)  # type: ignore[arg-type]
    assert (outcome.proven, outcome.ours, outcome.reason) == (False, True, "the machine was busy")


def test_cost_per_solve_is_known_only_with_a_price_and_a_solved_problem() -> None:
    row = BoardRow(
        run(1), 1, 1, 1, 1, 1, 25.0, 0.0, 50.0, 4, 4, 1.0, 0, provisional=False, usage=RunUsage(cost_per_problem=0.5)
    )
    assert row.cost_per_solve == 2.0
    assert row._replace(score=0.0).cost_per_solve is None
    assert row._replace(score=None).cost_per_solve is None
    assert row._replace(usage=RunUsage()).cost_per_solve is None


@pytest.mark.parametrize(
    ("slowest", "limit"), [(0.0, 4_000), (500.0, 4_000), (600.0, 4_400), (1000.5, 6_002), (20_000.0, 60_000)]
)
def test_unittests_without_a_limit_go_by_their_reference(slowest: float, limit: int) -> None:
    unstated = Limits(time_ms=CEILING_MS, memory_mb=100)
    assert judged_limits(unstated, Form.UNITTEST, {"slowest_ms": slowest}) == Limits(time_ms=limit, memory_mb=100)
    assert judged_limits(unstated, Form.UNITTEST, {}) == unstated
    assert judged_limits(unstated, Form.STDIN, {"slowest_ms": slowest}) == unstated
    stated = Limits(time_ms=10_000)
    assert judged_limits(stated, Form.UNITTEST, {"slowest_ms": slowest}) == stated
