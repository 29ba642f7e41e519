"""Virtual participation: scores, their chances over all orders of samples, and the mean over contests."""

from collections import Counter
from itertools import permutations, product
from math import inf, isnan, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from app.domain.metrics.distributions import t_critical
from app.domain.ratings import (
    HumanRating,
    better_or_equal,
    codeforces_rating,
    expected_contest_rating,
    joint_rating,
    mean_rating,
    score_chances,
    virtual_score,
)

ATTEMPTS = [[True], [False, True], [False] * 8, [False, False, False, True, False]]
HUMANS = [800, 1000, 1200, 1200, 1500, 1900, 2400]


def test_scores_of_a_virtual_participation() -> None:
    assert virtual_score(ATTEMPTS, [500, 1000, 1500, 2000]) == (3300, 0)
    assert virtual_score(ATTEMPTS) == (3, 40)
    assert virtual_score([]) == virtual_score([[], [False]]) == (0, 0)
    assert virtual_score([[False] * 8 + [True]]) == (0, 0)
    assert virtual_score([[False] * 8 + [True]], tries=9) == (1, 80)
    assert virtual_score([[False] * 7 + [True]], [300]) == (0, 0)


@pytest.mark.parametrize(
    ("points", "tries"), [([500], 8), ([500, -1, 1, 1], 8), ([inf] * 4, 8), (None, 0), ([None] * 4, 8)]
)
def test_impossible_contests_are_refused(points: Any, tries: int) -> None:
    with pytest.raises(ValueError, match=r"points|tries"):
        virtual_score(ATTEMPTS, points, tries)


PROBLEMS = st.lists(
    st.integers(1, 4).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.sampled_from([100, 500, 510]))),
    max_size=3,
)


def all_orders(problems: list[tuple[int, int, int]], style: str, tries: int) -> dict[tuple[float, float], float]:
    """The chance of every score, by playing every order of every problem's samples."""
    orders = [list(permutations([True] * c + [False] * (n - c))) for n, c, _ in problems]
    points = [worth for *_, worth in problems] if style == "points" else None
    scores = Counter(virtual_score(played, points, tries) for played in product(*orders))
    return {score: count / scores.total() for score, count in scores.items()}


@settings(max_examples=examples(40))
@given(PROBLEMS, st.sampled_from(["points", "icpc"]), st.sampled_from([1, 2, 8]), st.data())
def test_the_mean_is_over_all_orders(
    problems: list[tuple[int, int, int]], style: Any, tries: int, data: st.DataObject
) -> None:
    expected = all_orders(problems, style, tries)
    scores, chances = score_chances(problems, style, tries)
    found = {tuple(score): chance for score, chance in zip(scores.tolist(), chances.tolist(), strict=True)}
    assert found == pytest.approx(expected)
    standings = [(2, 0), (2, 10), (1, 20), (1, 20), (1, 40), (0, 0), (-1, 0)]
    if style == "points":
        standings = [(1100, 0), (1000, 0), (600, 0), (450, 0), (100, 0), (0, 0), (-50, 0)]
    compat = data.draw(st.sampled_from([None, "codeelo"]))
    rating = expected_contest_rating(problems, standings, HUMANS, style, tries, compat)  # type: ignore[arg-type]
    played = [
        (chance, codeforces_rating(int(better_or_equal([score], standings)[0]), HUMANS, compat))  # type: ignore[arg-type]
        for score, chance in expected.items()
    ]
    assert rating == pytest.approx(sum(chance * each for chance, each in played), abs=1e-6)
    assert rating.better == pytest.approx(sum(chance * each.better for chance, each in played))
    assert rating.above == pytest.approx(sum(chance * each.above for chance, each in played))
    assert rating.below == pytest.approx(sum(chance * each.below for chance, each in played))
    shuffled = data.draw(st.permutations(problems))
    assert expected_contest_rating(shuffled, standings, HUMANS, style, tries, compat) == rating  # type: ignore[arg-type]


def test_one_more_accepted_sample_never_lowers_a_rating() -> None:
    standings = [(1500 - 200 * place, 0) for place in range(7)]
    ratings = [expected_contest_rating([(10, c, 500), (10, 5, 1000)], standings, HUMANS, "points") for c in range(11)]
    assert ratings == sorted(ratings)
    assert ratings[0] < ratings[-1]


def test_counts_may_be_small_integers() -> None:
    scores, chances = score_chances([(np.uint8(255), np.uint8(0), 500), (np.uint8(255), np.uint8(255), 500)], "points")  # type: ignore[list-item]
    assert (scores.tolist(), chances.tolist()) == ([[500, 0]], [1])


def test_a_whole_contest_takes_no_time() -> None:
    problems = [(64, 60 - 7 * place, 500 + 250.0 * place) for place in range(9)]
    scores, chances = score_chances(problems, "points")
    assert chances.sum() == pytest.approx(1)
    assert len(scores) < 500
    assert len(score_chances(problems, "icpc")[0]) < 500


@pytest.mark.parametrize(
    "problem", [(0, 0, 500), (3, 4, 500), (3, -1, 500), (2.5, 1, 500), (inf, 1, 500), (3, 1, None), (3, 1, -5)]
)
def test_impossible_problems_are_refused(problem: Any) -> None:
    with pytest.raises(ValueError, match=r"sample|points"):
        score_chances([problem], "points")


def test_other_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="style"):
        score_chances([], "other")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tries"):
        score_chances([(3, 1, None)], "icpc", 0)
    with pytest.raises(ValueError, match="one length"):
        expected_contest_rating([], [(1, 0)], HUMANS, "icpc")
    with pytest.raises(ValueError, match="contest"):
        mean_rating([])
    with pytest.raises(ValueError, match="confidence"):
        mean_rating([HumanRating(1500, 1, 0, 0)], confidence=1)


def test_the_mean_over_contests_has_the_t_interval() -> None:
    contests = [HumanRating(1400, 3, 0, 0), HumanRating(1600, 2, 0.4, 0), HumanRating(1650, 1, 0.5, 0.1)]
    found = mean_rating(contests)
    assert found.mean == pytest.approx(1550)
    assert found.sd == pytest.approx(float(np.std([1400, 1600, 1650], ddof=1)))
    assert found.se == pytest.approx(found.sd / sqrt(3))
    assert found.hi - found.mean == pytest.approx(t_critical(0.95, 2) * found.se)
    assert found.mean - found.lo == pytest.approx(found.hi - found.mean)
    assert (found.contests, found.censored) == (3, 1)
    wide = mean_rating(contests, confidence=0.99)
    assert wide.hi > found.hi


def test_one_contest_says_nothing_of_its_error() -> None:
    found = mean_rating([codeforces_rating(3, HUMANS)])
    assert isnan(found.sd)
    assert isnan(found.se)
    assert (found.lo, found.hi, found.contests, found.censored) == (-inf, inf, 1, 0)


def test_mean_places_of_contests_make_a_joint_rating() -> None:
    standings = [(1900 - 200 * place, 0) for place in range(7)]
    contests = [expected_contest_rating([(8, c, 500)] * 4, standings, HUMANS, "points") for c in (2, 5)]
    joint = joint_rating((contest.better, HUMANS) for contest in contests)
    assert min(contests) < joint < max(contests)
