"""Which answers are as good as each other: each is held against all others, both ways."""

from dataclasses import replace
from typing import Any

import pytest
from grading.test_setting_play import producer
from support.setters import FEW, PROBLEM, answers, fenced

from app.domain.setting.consensus import consensus
from app.domain.testgen.candidates import Candidate
from app.domain.testgen.sampling.sample import Kind
from workers.grading.producer import Producer
from workers.grading.setting.bench import Bench
from workers.grading.setting.entrants import Entrants
from workers.grading.setting.table import Table, _Classes

__all__ = ["producer"]
PAIRS = {("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("x", "y")}


def classes(*answers: str) -> tuple[list[int], bool]:
    made = _Classes(lambda one, other: (one, other) in PAIRS and (other, one) in PAIRS)
    return [made.number(answer) for answer in answers], made.unclear


def test_equal_ones_are_one_and_the_same_to_the_letter() -> None:
    assert classes("a", "a", "z") == ([0, 0, 1], False)
    values: list[Any] = [False, 0, 0.0]
    assert [_Classes(lambda _one, _other: False).number(value) for value in values] == [0, 0, 0]


def test_what_is_as_good_as_two_that_differ_makes_no_class() -> None:
    assert classes("a", "b") == ([0, 0], False)
    assert classes("a", "c", "b") == ([0, 1, 0], True)
    assert classes("a", "b", "c") == ([0, 0, 0], True), "it is as good as b, and not as a"


def test_what_is_right_in_one_direction_alone_is_not_as_good() -> None:
    assert classes("x", "y") == ([0, 1], False)
    assert classes("y", "x") == ([0, 1], False)


@pytest.mark.sandbox
def test_a_checker_that_takes_what_is_worse_for_what_is_better_makes_no_agreement(producer: Producer) -> None:
    """It takes each answer below the judge's: held against the first alone, all would be as good as that."""
    texts: dict[str, str | None] = dict.fromkeys(("validator", "generator", "brute", "probes", "solution_1"))
    first = answers("a", **texts, solution_0=fenced("print(9)"), solution_2=fenced("print(7)"))
    table = Table(
        Bench(producer, replace(PROBLEM, tests=()), 60.0),
        Entrants([*first, *answers("b", **texts, solution_0=fenced("print(6)"))]),
        FEW.brute_ms,
    )
    table.ask([Candidate(Kind.SMALL, "1\n6\n")])
    rows, values = table.rows(lambda test, answer: int(answer) <= int(test.expected))
    assert values == [["9\n", "7\n", "6\n"]]
    assert consensus(rows, dict.fromkeys(rows[0].answers, "python")).expected == {}
