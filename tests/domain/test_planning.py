"""The order in which problems are asked: each once, and every prefix of it spread like the whole."""

import math
from datetime import timedelta
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.batches import START
from support.examples import examples

from app.domain.asking.problem_order import MissingProblem, balance_order, spread_evenly
from app.domain.problems import Level


def most_off(order: list[int], standing: list[float]) -> float:
    """How far any prefix's number of problems below any value is from its fair share, less what is promised."""
    values, below = np.array(standing), np.array([[each < bound for each in standing] for bound in sorted({*standing})])
    taken, worst = np.zeros(len(values), dtype=bool), -math.inf
    for count, place in enumerate(order, start=1):
        taken[place] = True
        off = np.abs((below & taken).sum(axis=1) - count * below.sum(axis=1) / len(values)).max()
        worst = max(worst, off - (4 + math.log2(count)) / 3)
    return worst


@st.composite
def problems(draw: st.DrawFn, most: int = 120) -> list[MissingProblem]:
    """Some known, some not; ease in coarse or in fine steps."""
    ease = st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.0, 0.25, 1.0]))
    level = st.one_of(st.none(), st.sampled_from(Level))
    drawn = draw(st.lists(st.tuples(ease, level, st.integers(0, 60)), max_size=most))
    return [
        MissingProblem(100 + i, ease, level, START + timedelta(days=day)) for i, (ease, level, day) in enumerate(drawn)
    ]


@given(problems(), st.randoms(use_true_random=False))
def test_each_is_asked_once_and_the_order_depends_on_the_problems_alone(
    lacking: list[MissingProblem], rng: Random
) -> None:
    order = balance_order(lacking)
    assert sorted(order) == [each.problem for each in lacking]
    shuffled = lacking.copy()
    rng.shuffle(shuffled)
    assert balance_order(shuffled) == order


@settings(max_examples=examples(40))
@given(st.integers(0, 300))
def test_every_prefix_of_the_walk_lies_evenly_over_the_line(count: int) -> None:
    walk = spread_evenly(count)
    assert sorted(walk) == list(range(count))
    assert most_off(walk, [float(place) for place in range(count)]) <= 0


@settings(max_examples=examples(40))
@given(st.lists(st.floats(0, 1), max_size=150))
def test_every_prefix_holds_its_share_of_the_easy_and_the_hard(ease: list[float]) -> None:
    order = balance_order([MissingProblem(place, each, None, START) for place, each in enumerate(ease)])
    assert most_off(order, [float(int(10 * each)) for each in ease]) <= 0


@settings(max_examples=examples(40))
@given(st.lists(st.sampled_from(Level), max_size=150))
def test_where_nobody_was_graded_the_levels_are_spread(levels: list[Level]) -> None:
    order = balance_order([MissingProblem(place, None, level, START) for place, level in enumerate(levels)])
    hardest_first = list(reversed(Level))
    assert most_off(order, [float(hardest_first.index(level)) for level in levels]) <= 0


def test_the_dates_of_a_prefix_are_those_of_the_whole() -> None:
    """Newest first, and problems got easier; the first quarter must tell neither."""
    rng = np.random.default_rng(3)
    days = rng.integers(0, 365, 800)
    ease = np.clip(rng.normal(0.3 + days / 1000, 0.25), 0, 1)
    lacking = [
        MissingProblem(
            place, float(ease[place]) if rng.random() < 0.8 else None, None, START + timedelta(days=int(days[place]))
        )
        for place in range(800)
    ]
    first = balance_order(lacking)[:200]
    for day in range(30, 365, 30):
        assert (days[first] < day).mean() == pytest.approx((days < day).mean(), abs=0.05)
    assert ease[first].mean() == pytest.approx(ease.mean(), abs=0.02)


def test_what_nobody_was_graded_on_counts_as_its_level() -> None:
    """In a line of easy ones known to be solved, hard ones known not to be, and as many of each unknown."""
    known = [MissingProblem(0, 0.9, Level.EASY, START), MissingProblem(1, 0.1, Level.HARD, START)]
    lacking = [*known, MissingProblem(2, None, Level.EASY, START), MissingProblem(3, None, Level.HARD, START)]
    order = balance_order(lacking)
    assert [each in (1, 3) for each in order] in ([True, False] * 2, [False, True] * 2), "hard and easy take turns"
    assert len(balance_order([*lacking, MissingProblem(4, None, None, START)])) == 5


def test_a_few_of_a_thousand_stand_for_the_whole() -> None:
    """What the promise is worth, and that no prefix leans to the hard end for long."""
    ease = np.linspace(0, 1, 1000)
    order = balance_order([MissingProblem(place, float(each), None, START) for place, each in enumerate(ease)])
    for count, points in ((10, 0.05), (30, 0.03), (100, 0.01), (300, 0.005)):
        assert ease[order[:count]].mean() == pytest.approx(0.5, abs=points)
