"""Ratings among humans: the rating of a place, percentiles, true ratings and Codeforces' own changes."""

import copy
import pickle
from math import ceil, inf, nan, sqrt, trunc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from app.domain.ratings import (
    HumanField,
    better_or_equal,
    codeforces_changes,
    codeforces_rating,
    expected_better,
    joint_rating,
    percentile,
    percentile_table,
    rating_at_percentile,
    share_below,
    true_rating,
    worst_places,
)
from app.domain.ratings.human_rating import ratings_at

TIE = 1e-9  # where so many are expected to be better exactly, the last bit decides
RATINGS = st.lists(st.integers(-100, 4000), min_size=1, max_size=40)


def beaten(rating: float, humans: list[int]) -> float:
    return sum(1 / (1 + 10 ** ((rating - human) / 400)) for human in humans)


@settings(max_examples=examples(50))
@given(RATINGS, st.floats(0, 1))
def test_a_rating_is_where_so_many_are_expected_to_be_better(humans: list[int], share: float) -> None:
    better, top = share * len(humans), max(0, max(humans) + 100)
    found = codeforces_rating(better, humans)
    assert found.better == better
    assert 0 <= found <= top
    assert (found.above, found.below) == (beaten(top, humans) > better, beaten(0, humans) < better)
    assert found.censored == bool(found.above or found.below)
    if found.above:
        assert float(found) == top
    elif found.below:
        assert float(found) == 0
    else:
        assert beaten(found, humans) == pytest.approx(better, abs=1e-9)
        assert float(expected_better([found], humans)[0]) == pytest.approx(better, abs=1e-9)


@settings(max_examples=examples(50))
@given(RATINGS, st.data())
def test_more_humans_ahead_never_raise_a_rating(humans: list[int], data: st.DataObject) -> None:
    ratings = [codeforces_rating(better, humans) for better in range(len(humans) + 1)]
    assert ratings == sorted(ratings, reverse=True)
    assert ratings[0].above
    assert ratings[-1].below or max(humans) < -100
    shuffled = data.draw(st.permutations(humans))
    assert [codeforces_rating(better, shuffled) for better in range(len(humans) + 1)] == ratings
    many = ratings_at(np.arange(len(humans) + 1.0), HumanField.of(humans))[0]
    np.testing.assert_allclose(many, ratings, atol=1e-8)


@settings(max_examples=examples(50))
@given(st.integers(0, 3000), st.integers(-500, 500), st.integers(2, 9))
def test_against_equals_the_rating_is_the_logit_of_the_place(rating: int, away: int, count: int) -> None:
    better = count / (1 + 10 ** (away / 400))
    found = codeforces_rating(better, [rating] * count)
    assert found == pytest.approx(min(max(rating + away, 0), rating + 100), abs=1e-6)


def tool(better: float, humans: list[int]) -> int:
    """The published tool's search."""
    low, high = 0, max(0, max(humans) + 100)
    while high - low > 1:
        middle = (low + high) // 2
        if 1 + beaten(middle, humans) < better:
            high = middle
        else:
            low = middle
    return low


@settings(max_examples=examples(50))
@given(RATINGS, st.data())
def test_compat_repeats_the_published_tool(humans: list[int], data: st.DataObject) -> None:
    better = data.draw(st.integers(0, len(humans)))
    found = codeforces_rating(better, humans, compat="codeelo")
    assert tool(better + TIE, humans) <= float(found) <= tool(better - TIE, humans)
    if not found.censored:
        one_less = codeforces_rating(better - 1, humans)
        assert found <= one_less + 1e-6
        assert found > one_less - 1 - 1e-6


def test_a_censored_rating_keeps_saying_so() -> None:
    found = codeforces_rating(0, [1500])
    assert (float(found), found.above, found.below, found.censored) == (1600, 1, 0, True)
    for again in (copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
        assert (again, again.better, again.above, again.below) == (found, 0, 1, 0)
    assert codeforces_rating(1, [1500]).below == 1
    assert codeforces_rating(1, [-500]) == 0.0


@pytest.mark.parametrize(
    ("better", "humans"),
    [(0, []), (nan, [1500]), (-1, [1500]), (2, [1500]), (1, [nan]), (1, [inf, 1500]), (1, [[1500]]), ([1], [1500]),
     (inf, [1500]), (1, {}), ("many", [1500]), (1, 1500)],
)  # fmt: skip
def test_impossible_places_and_fields_are_refused(better: Any, humans: Any) -> None:
    with pytest.raises(ValueError, match=r"human|better|finite|number|convert"):
        codeforces_rating(better, humans)
    with pytest.raises(ValueError, match=r"human|better|finite|number|convert"):
        joint_rating([(better, humans)])


def test_other_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="compat"):
        codeforces_rating(1, [1500], compat="other")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="contest"):
        joint_rating([])
    for counts in ([1, -1], [1, 0.5]):
        with pytest.raises(ValueError, match="counts"):
            HumanField.from_histogram([1500, 1600], counts)
    with pytest.raises(ValueError, match="human"):
        HumanField.from_histogram([1500, 1600], 0)
    with pytest.raises(ValueError, match="number"):
        percentile(nan, [1500])
    for percent in (0, 101, nan):
        with pytest.raises(ValueError, match="percent"):
            rating_at_percentile(percent, [1500])


@pytest.mark.parametrize("far", [1e6, 1e12, 1e300])
def test_absurd_ratings_end_too(far: float) -> None:
    found = codeforces_rating(1.5, [0, 1500, far])
    assert 1500 < found < far
    assert codeforces_rating(1, [0, 0, far]) < far


@settings(max_examples=examples(50))
@given(RATINGS)
def test_a_histogram_is_as_good_as_a_list(humans: list[int]) -> None:
    field = HumanField.from_histogram([*humans, 5000], [1] * len(humans) + [0])
    assert field.size == len(humans)
    assert HumanField.of(field) is field
    assert codeforces_rating(len(humans) / 2, field) == codeforces_rating(len(humans) / 2, humans)


@settings(max_examples=examples(50))
@given(st.lists(st.tuples(RATINGS, st.floats(0, 1)), min_size=1, max_size=5))
def test_a_joint_rating_fits_all_places_together(drawn: list[tuple[list[int], float]]) -> None:
    contests = [(share * len(humans), humans) for humans, share in drawn]
    found = joint_rating(contests)
    assert found == joint_rating(contests[::-1])
    separate = [codeforces_rating(*contest) for contest in contests]
    top = max(0, max(max(humans) for humans, _ in drawn) + 100)
    if not any(each.censored for each in separate):
        assert min(separate) - 1e-6 <= found <= max(separate) + 1e-6
    if not found.censored:
        misfit = sum(beaten(found, humans) - better for better, humans in contests)
        assert misfit == pytest.approx(0, abs=1e-8)
    else:
        assert float(found) == (top if found.above else 0)


def test_a_joint_rating_sees_beyond_a_censored_contest() -> None:
    strong = list(range(1500, 3500, 10))
    weak = [*range(500, 1500, 10)]
    place = beaten(2500, strong)
    assert codeforces_rating(0, weak).censored
    assert joint_rating([(place, strong), (beaten(2500, weak), weak)]) == pytest.approx(2500, abs=1e-6)
    assert joint_rating([(place, strong)]) == codeforces_rating(place, strong)


@settings(max_examples=examples(50))
@given(RATINGS, st.integers(-200, 4200))
def test_percentiles_count_those_strictly_below(humans: list[int], rating: int) -> None:
    below = sum(human < rating for human in humans)
    assert share_below(rating, humans) == below / len(humans)
    assert percentile(rating, humans) == round(100 * below / len(humans), 1)
    table = percentile_table(humans)
    ordered = sorted(humans)
    assert table == {p: ordered[ceil(len(humans) * p / 100) - 1] for p in range(1, 101)}
    assert rating_at_percentile(0.1, humans) == ordered[0]
    assert table[100] == max(humans)


def test_rating_at_a_fractional_percentile() -> None:
    assert rating_at_percentile(99.9, range(1, 1001)) == 999
    assert percentile(inf, [1, 2]) == 100.0


def test_newcomers_have_more_than_they_are_shown() -> None:
    assert [true_rating(0, n) for n in range(8)] == [1400, 900, 550, 300, 150, 50, 0, 0]
    assert isinstance(true_rating(500, 1), float)
    np.testing.assert_array_equal(true_rating([0, 381, 1500], [0, 1, 60]), [1400, 1281, 1500])
    for played in (-1, 1.5):
        with pytest.raises(ValueError, match="contests_played"):
            true_rating(1500, played)


def loop_changes(old: list[int], place: list[int]) -> list[int]:
    """The formula as published, one participant at a time."""
    n = len(old)
    rank = [sum(each <= mine for each in place) for mine in place]
    change = []
    for i, mine in enumerate(old):
        others = old[:i] + old[i + 1 :]
        wanted = sqrt(rank[i] * (1 + beaten(mine, others)))
        low, high = 1, 8000
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if 1 + beaten(middle, others) < wanted else (middle, high)
        change.append(trunc((low - mine) / 2))
    more = trunc(-sum(change) / n) - 1
    change = [each + more for each in change]
    best = sorted(range(n), key=lambda i: (-old[i], place[i]))[: min(n, 4 * round(sqrt(n)))]
    more = min(0, max(-10, trunc(-sum(change[i] for i in best) / len(best))))
    return [each + more for each in change]


@settings(max_examples=examples(50))
@given(st.lists(st.tuples(st.integers(-50, 3500), st.integers(1, 9)), min_size=1, max_size=30))
def test_changes_follow_the_published_formula(people: list[tuple[int, int]]) -> None:
    old, place = [each for each, _ in people], [each for _, each in people]
    found = codeforces_changes(old, place)
    assert found.tolist() == loop_changes(old, place)
    assert found.sum() <= 0


def test_changes_do_not_depend_on_the_order_in_which_people_are_named() -> None:
    """Many people have one rating: some of them are among the highest rated, others with it are not."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        old, place = rng.choice([1200, 1300, 1400], 30), rng.integers(1, 9, 30)
        order, changes = rng.permutation(30), codeforces_changes(old, place)
        np.testing.assert_array_equal(codeforces_changes(old[order], place[order]), changes[order])


@pytest.mark.parametrize(
    ("old", "places"), [([], []), ([1500], [1, 2]), ([1500.5], [1]), ([nan], [1]), ([[1500]], [[1]])]
)
def test_changes_need_whole_ratings_and_places(old: Any, places: Any) -> None:
    with pytest.raises(ValueError, match=r"old_ratings"):
        codeforces_changes(old, places)


SCORES = st.lists(st.tuples(st.integers(-2, 4), st.integers(0, 3)), max_size=30)


@settings(max_examples=examples(50))
@given(SCORES, SCORES)
def test_places_count_the_better_and_the_tied(scores: list[tuple[int, int]], humans: list[tuple[int, int]]) -> None:
    ours, theirs = (np.array(each, dtype=float).reshape(-1, 2) for each in (scores, humans))
    expected = [sum((-p, q) <= (-points, penalty) for p, q in humans) for points, penalty in scores]
    assert better_or_equal(ours, theirs).tolist() == expected
    assert worst_places(theirs).tolist() == better_or_equal(theirs, theirs).tolist()


@pytest.mark.parametrize("standings", [[1, 2], [[1, 2, 3]], [[1, nan]]])
def test_standings_are_rows_of_points_and_penalty(standings: Any) -> None:
    with pytest.raises(ValueError, match=r"rows|finite"):
        worst_places(standings)
