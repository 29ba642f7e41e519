"""Bands and ratings: every edge, what decides before what, and values that are no numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.problems import Level
from app.domain.publishing.bands import LABELS, Rating, as_rated, label_of, level_of, levels_shown, rating_of

SCALES = ("level", "codeforces", "zerotrac", "kenkoooo", "points", "unheard_of")


def test_edges() -> None:
    for scale, value, level in [
        ("level", 1, "easy"), ("level", 2, "medium"), ("level", 3, "hard"), ("level", 4, "expert"),
        ("level", 5, "extreme"), ("level", 0, "easy"), ("level", 99, "extreme"),
        ("codeforces", 0, "easy"), ("codeforces", 800, "easy"), ("codeforces", 801, "medium"),
        ("codeforces", 1000, "medium"), ("codeforces", 1001, "hard"), ("codeforces", 1300, "hard"),
        ("codeforces", 1301, "expert"), ("codeforces", 3000, "expert"), ("codeforces", 3001, "extreme"),
        ("points", 0, "easy"), ("points", 199, "easy"), ("points", 200, "medium"), ("points", 399, "medium"),
        ("points", 400, "hard"), ("points", 500, "hard"), ("points", 501, "expert"), ("points", 2800, "expert"),
        ("kenkoooo", -1289, "easy"), ("kenkoooo", -1, "easy"), ("kenkoooo", 0, "medium"), ("kenkoooo", 949, "medium"),
        ("kenkoooo", 950, "hard"), ("kenkoooo", 1699, "hard"), ("kenkoooo", 1700, "expert"),
        ("kenkoooo", 3000, "expert"), ("kenkoooo", 3001, "extreme"),
        ("zerotrac", 1500, None), ("zerotrac", 3001, "extreme"), ("unheard_of", 1500, None), ("points", -1, None),
    ]:  # fmt: skip
        assert level_of({scale: value}, "atcoder") == level, (scale, value, level)


def test_points_are_a_difficulty_at_one_site_only() -> None:
    assert level_of({"points": 500.0}, "codeforces") is None
    assert level_of({"points": 4.0}, "leetcode") is None
    assert level_of({"points": 500.0, "codeforces": 800.0}, "codeforces") is Level.EASY


def test_a_label_comes_first_then_points_then_the_estimate() -> None:
    assert level_of({"level": 1.0, "codeforces": 2400.0}, "codeforces") is Level.EASY
    assert level_of({"level": 3.0, "zerotrac": 1200.0}, "leetcode") is Level.HARD
    assert level_of({"points": 100.0, "kenkoooo": 2000.0}, "atcoder") is Level.EASY
    assert level_of({}, "atcoder") is None


def test_a_rating_above_three_thousand_is_extreme_whatever_else_is_said() -> None:
    for scale in ("codeforces", "zerotrac", "kenkoooo"):
        assert level_of({"level": 1.0, "points": 100.0, scale: 3000.5}, "atcoder") is Level.EXTREME
    assert label_of({"level": 1.0, "codeforces": 3500.0}) is Level.EASY
    assert label_of({"codeforces": 3500.0}) is None


@given(st.dictionaries(st.sampled_from(SCALES), st.floats()), st.sampled_from(["atcoder", "codeforces", "x"]))
def test_any_number_has_an_answer_and_what_is_no_number_says_nothing(newest: dict[str, float], platform: str) -> None:
    finite = {scale: value for scale, value in newest.items() if math.isfinite(value)}
    assert level_of(newest, platform) == level_of(finite, platform)
    assert label_of(newest) == label_of(finite)
    rating = rating_of(newest)
    assert rating == rating_of(finite)
    assert rating is None or math.isfinite(rating.value)


@given(st.sampled_from(["codeforces", "kenkoooo", "points", "level"]), st.floats(0, 4000), st.floats(0, 4000))
def test_harder_is_never_an_easier_band(scale: str, one: float, other: float) -> None:
    low, high = (level_of({scale: value}, "atcoder") for value in sorted((one, other)))
    assert low is not None
    assert high is not None
    assert list(Level).index(low) <= list(Level).index(high)


def test_ratings_carry_their_scale() -> None:
    assert rating_of({"codeforces": 1900.0, "kenkoooo": 5.0}) == Rating("codeforces", 1900.0)
    assert rating_of({"zerotrac": 1500.5, "level": 2.0}) == Rating("zerotrac", 1500.5)
    assert rating_of({"level": 2.0, "points": 300.0}) is None


def test_low_estimates_are_shown_as_their_site_shows_them() -> None:
    assert as_rated("kenkoooo", 400.0) == 400.0
    assert as_rated("kenkoooo", 0.0) == pytest.approx(400 / math.exp(1))
    assert as_rated("kenkoooo", -1000.0) == pytest.approx(400 / math.exp(3.5))
    assert as_rated("kenkoooo", -1e300) == 0.0
    assert as_rated("codeforces", 100.0) == 100.0


def test_boards_always_show_the_three_labels() -> None:
    assert levels_shown([]) == LABELS
    assert levels_shown([None, Level.EXTREME, Level.EASY]) == (*LABELS, Level.EXTREME)
    assert levels_shown(Level) == tuple(Level)
