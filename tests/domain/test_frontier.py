"""The frontier of scores against costs, and the ticks of a logarithmic axis."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.metrics.frontier import log_ticks, pareto_frontier

PAIRS = st.lists(st.tuples(st.integers(1, 9).map(float), st.integers(0, 9).map(float)), max_size=12)


@pytest.mark.parametrize(
    ("pairs", "places"),
    [
        ([], ()),
        ([(1, 50)], (0,)),
        ([(3, 90), (1, 40), (2, 30), (2, 60)], (1, 3, 0)),
        ([(1, 50), (1, 40), (2, 50)], (0,)),
        ([(2, 70), (1, 50), (2, 70), (1, 50)], (1, 3, 0, 2)),
    ],
)
def test_the_frontier_goes_from_the_cheapest_row_to_the_best(
    pairs: list[tuple[float, float]], places: tuple[int, ...]
) -> None:
    assert pareto_frontier([cost for cost, _ in pairs], [score for _, score in pairs]) == places


@given(PAIRS)
def test_a_row_is_on_the_frontier_unless_another_one_is_better(pairs: list[tuple[float, float]]) -> None:
    places = pareto_frontier([cost for cost, _ in pairs], [score for _, score in pairs])
    beaten = {
        place
        for place, (cost, score) in enumerate(pairs)
        for other, value in pairs
        if other <= cost and value >= score and (other, value) != (cost, score)
    }
    assert set(places) == set(range(len(pairs))) - beaten
    assert all(pairs[one] <= pairs[other] for one, other in pairwise(places))


@pytest.mark.parametrize(
    ("least", "most", "limit", "ticks"),
    [
        (0.0008, 0.03, 6, (0.001, 0.002, 0.005, 0.01, 0.02)),
        (0.0008, 0.03, 4, (0.001, 0.003, 0.01, 0.03)),
        (0.5, 2000, 5, (1, 10, 100, 1000)),
        (1, 10.0**8, 4, (1, 1000, 10.0**6)),
        (1.1, 1.9, 6, ()),
    ],
)
def test_ticks_are_round_numbers(least: float, most: float, limit: int, ticks: tuple[float, ...]) -> None:
    assert log_ticks(least, most, limit) == pytest.approx(ticks)


@given(st.floats(1e-6, 1e6), st.floats(1.01, 1e6), st.integers(2, 9))
def test_ticks_lie_on_the_axis_and_are_few(least: float, times: float, limit: int) -> None:
    ticks = log_ticks(least, least * times, limit)
    assert len(ticks) <= limit
    assert all(least <= tick <= least * times for tick in ticks)
    assert list(ticks) == sorted(set(ticks))
