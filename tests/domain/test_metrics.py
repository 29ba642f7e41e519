"""Point estimates, clustered and paired intervals, ranks from intervals."""

import random
from itertools import pairwise, product
from math import comb, inf, isnan, nan, sqrt

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from support.examples import examples

from app.domain.metrics.distributions import t_critical, t_sf, two_sided_p
from app.domain.metrics.intervals import (
    IntervalBounds,
    benjamini_hochberg,
    clustered_mean,
    holm,
    mean_bounds,
    paired_difference,
    pass_at_k,
    rank_intervals,
)

X = [1, 0.5, 0, 0, 1, 0.2, 0.9, 0.4]
B = [1, 0.4, 0.1, 0, 0.7, 0.2, 0.6, 0.4]
CONTESTS = list("aabbbcdd")


@pytest.mark.parametrize(
    ("df", "quantile"),
    [(1, 12.7062047362), (3, 3.1824463053), (250, 1.9694983934), (inf, 1.9599639845)],
)
def test_t_quantiles(df: float, quantile: float) -> None:
    assert t_critical(0.95, df) == pytest.approx(quantile, abs=1e-10)


@given(st.floats(0.3, 400), st.floats(0.001, 0.9999))
def test_t_quantiles_undo_the_distribution(df: float, confidence: float) -> None:
    assert 2 * t_sf(t_critical(confidence, df), df) == pytest.approx(1 - confidence, rel=1e-8)


@given(st.floats(-50, 50), st.floats(0.3, 400))
def test_t_is_symmetric(x: float, df: float) -> None:
    assert t_sf(-x, df) + t_sf(x, df) == pytest.approx(1)


def test_t_has_known_values_and_limits() -> None:
    assert t_sf(-1, 1) == pytest.approx(0.75)
    assert t_sf(2, 2) == pytest.approx(0.5 - 1 / sqrt(6))
    assert t_sf(0, 5) == pytest.approx(0.5)
    assert t_sf(inf, 5) == 0
    assert t_critical(0.95, 0) == inf
    assert 2 * t_sf(t_critical(0.99, 201), 201) == pytest.approx(0.01, rel=1e-9)
    assert t_sf(1.96, inf) == pytest.approx(0.0249979)
    with pytest.raises(ValueError, match="must"):
        t_sf(1, 0)
    with pytest.raises(ValueError, match="must"):
        t_sf(nan, 3)
    with pytest.raises(ValueError, match="must"):
        t_critical(1.0, 3)


@pytest.mark.parametrize(
    ("n", "c", "k", "value"),
    [(10, 2, 1, 0.2), (10, 2, 5, 7 / 9), (8, 1, 4, 0.5), (20, 7, 10, 0.9984520123839009), (10, 6, 5, 1)],
)
def test_pass_at_k(n: int, c: int, k: int, value: float) -> None:
    found = pass_at_k(n, c, k)
    assert isinstance(found, float)
    assert found == pytest.approx(value, abs=1e-15)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, 70))))
def test_pass_at_k_is_the_share_of_draws_that_hold_a_pass(counts: tuple[int, int, int]) -> None:
    n, c, k = counts
    found = pass_at_k(n, c, k)
    if n < k:
        assert isnan(found)
    else:
        assert found == pytest.approx(1 - comb(n - c, k) / comb(n, k), abs=1e-12)


def test_pass_at_k_of_arrays_keeps_missing_counts_missing() -> None:
    found = pass_at_k(np.array([[10, 2], [10, nan]]), [1, 1], 5)
    assert found.shape == (2, 2)
    np.testing.assert_allclose(found, [[0.5, nan], [0.5, nan]])
    assert isnan(pass_at_k(10, nan, 1))


@pytest.mark.parametrize(("n", "c", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0)])
def test_pass_at_k_refuses_impossible_counts(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match=r"k must|counts"):
        pass_at_k(n, c, k)


def test_clustered_mean_of_a_small_example() -> None:
    found = clustered_mean(X, CONTESTS)
    assert found.mean == pytest.approx(0.5)
    assert (found.n, found.clusters, found.df) == (8, 4, 3)
    assert found.se == pytest.approx(0.11902380714238082, abs=1e-15)
    assert clustered_mean(X, range(8)).se == pytest.approx(0.15)


def test_a_large_cell_has_the_t_interval() -> None:
    rng = np.random.default_rng(1)
    x, contest = rng.integers(0, 2, 400), np.repeat(np.arange(80), 5)
    found = clustered_mean(x, contest)
    half = t_critical(0.95, 79) * found.se
    assert found.lo == pytest.approx(found.mean - half)
    assert found.hi == pytest.approx(found.mean + half)
    wide = clustered_mean(x, contest, confidence=0.99)
    assert wide.hi - found.mean == pytest.approx(t_critical(0.99, 79) * found.se)


def test_missing_problems_are_left_out() -> None:
    whole = clustered_mean(X, CONTESTS)
    assert clustered_mean([*X, nan, nan], [*CONTESTS, "a", "z"]) == whole
    empty = clustered_mean([nan], ["a"])
    assert (empty.n, empty.clusters, empty.df) == (0, 0, 0)
    assert all(isnan(each) for each in (empty.mean, empty.se, empty.lo, empty.hi))


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_all_wrong_or_all_right_has_the_wilson_interval_of_all_trials(value: float, size: int) -> None:
    found = clustered_mean([value] * 20, np.arange(20) // size)
    assert found.se == 0
    square = t_critical(0.95, (20 / size + 1) ** 2 / (20 / size - 1)) ** 2
    assert abs(found.mean - (found.hi + found.lo - value)) == pytest.approx(square / (20 + square))
    assert found.lo <= value <= found.hi


def test_one_more_pass_lowers_neither_bound() -> None:
    """With one problem a contest, for every number of passes there may be; of more problems, all at once."""
    for n in [*range(1, 16), 20, 30]:
        found = [clustered_mean([1.0] * passes + [0.0] * (n - passes), range(n)) for passes in range(n + 1)]
        assert all(one.lo <= more.lo and one.hi <= more.hi for one, more in pairwise(found)), n
    for n in range(2, 61):
        assert all((np.diff(bound) >= 0).all() for bound in of_passes(n)), n


def of_passes(n: int) -> IntervalBounds:
    """The intervals of any number of passes of n problems, each in a contest of its own."""
    mean, many = np.arange(n + 1) / n, np.full(n + 1, n)
    variance = mean * (1 - mean) / (n - 1)
    return mean_bounds(mean, variance, variance, many, many, many)


@given(st.integers(2, 1500) | st.integers(2, 40_000))
@example(101)  # Wilson's interval and that of t met in a step: 31 of 101 lay lower than 30 of 101
def test_one_more_pass_of_any_number_lowers_neither_bound(n: int) -> None:
    found = of_passes(n)
    for bound in found:
        assert (np.diff(bound) >= 0).all()
    for some in {0, 1, n // 3, n - 1, n} if n < 1500 else set[int]():
        one = clustered_mean([1.0] * some + [0.0] * (n - some), range(n))
        assert [one.lo, one.hi] == pytest.approx([found.lo[some], found.hi[some]])


def test_all_passes_are_no_less_sure_than_all_but_one() -> None:
    """27 of 27 in nine contests was [70, 100], and 26 of 27 [79, 99]."""
    for contests, size in product([2, 3, 9, 10, 30], [1, 2, 3, 5, 9]):
        contest = np.repeat(np.arange(contests), size)
        all_but_one, every = (clustered_mean([first, *[1.0] * (contest.size - 1)], contest) for first in (0.0, 1.0))
        assert all_but_one.lo <= every.lo, (contests, size)
        assert all_but_one.hi <= every.hi, (contests, size)
        assert every.hi - every.lo <= all_but_one.hi - all_but_one.lo, (contests, size)


def test_the_last_of_many_answers_lowers_neither_bound() -> None:
    """27 problems of ten answers: 269 passes had [97.3, 99.9] and 270 [86.6, 100]."""
    for problems, answers in product([2, 5, 10, 27, 100, 300], [1, 2, 5, 10]):
        rates = [[1.0] * (problems - 1) + [1 - failed / answers] for failed in range(answers, -1, -1)]
        found = [clustered_mean(each, range(problems)) for each in rates]
        assert all(one.lo <= more.lo + 1e-12 and one.hi <= more.hi + 1e-12 for one, more in pairwise(found)), rates
        mirrored = [clustered_mean([1 - rate for rate in each], range(problems)) for each in rates]
        assert all(one.lo >= more.lo - 1e-12 and one.hi >= more.hi - 1e-12 for one, more in pairwise(mirrored)), rates


@settings(max_examples=examples(60))
@given(
    st.sampled_from([2, 3, 5, 10, 20]).flatmap(
        lambda answers: st.tuples(
            st.just(answers),
            st.lists(st.integers(0, answers) | st.sampled_from([0, answers - 1, answers]), min_size=2, max_size=80),
        )
    ),
    st.randoms(use_true_random=False),
)
def test_one_more_pass_among_many_answers_lowers_neither_bound(
    drawn: tuple[int, list[int]], chance: random.Random
) -> None:
    """With one problem a contest, from any rates there may be, until everything passes."""
    answers, passed = drawn
    before = clustered_mean([passes / answers for passes in passed], range(len(passed)))
    for _ in range(answers * len(passed) - sum(passed)):
        passed[chance.choice([place for place, passes in enumerate(passed) if passes < answers])] += 1
        after = clustered_mean([passes / answers for passes in passed], range(len(passed)))
        assert after.lo >= before.lo - 1e-5
        assert after.hi >= before.hi - 1e-5
        before = after


def test_all_passes_are_no_less_sure_than_all_but_a_part_of_one() -> None:
    for rate, contests, size in product([0.5, 0.9], [2, 3, 9, 10, 30], [2, 3, 5, 9]):
        contest = np.repeat(np.arange(contests), size)
        but_one, every = (clustered_mean([first, *[1.0] * (contest.size - 1)], contest) for first in (rate, 1.0))
        assert but_one.lo <= every.lo + 1e-6, (rate, contests, size)
        assert but_one.hi <= every.hi, (rate, contests, size)


def test_one_cluster_says_next_to_nothing() -> None:
    found = clustered_mean([0.0, 1.0, 1.0, 0.0], ["a"] * 4)
    assert isnan(found.se)
    assert (found.df, found.clusters) == (0, 1)
    assert found.lo < 0.06
    assert found.hi > 0.94
    assert clustered_mean([0.5], ["a"]).hi > 0.9


def test_contests_that_agree_by_chance_do_not_make_a_point_of_the_interval() -> None:
    found = clustered_mean([0.0, 1.0] * 10, np.repeat(np.arange(10), 2))
    assert found.se == 0
    assert found.hi - found.lo > 0.2
    same = clustered_mean([0.1] * 2000, range(2000))
    assert same.se == 0
    assert same.hi - same.lo > 0.0005


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.5, 1.0]), st.integers(0, 12)), min_size=1, max_size=40),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
)
def test_an_interval_holds_its_mean_lies_in_range_and_has_width(x: list[tuple[float, int]], confidence: float) -> None:
    found = clustered_mean([value for value, _ in x], [contest for _, contest in x], confidence=confidence)
    assert 0 <= found.lo <= found.mean + 1e-12
    assert found.mean - 1e-12 <= found.hi <= 1
    assert found.hi - found.lo > 0.001
    mirrored = clustered_mean([1 - value for value, _ in x], [contest for _, contest in x], confidence=confidence)
    assert mirrored.lo == pytest.approx(1 - found.hi, abs=1e-9)
    assert mirrored.hi == pytest.approx(1 - found.lo, abs=1e-9)


@pytest.mark.parametrize(("x", "clusters"), [([0.5, 0.5], ["a"]), ([[0.5]], ["a"]), ([1.5], ["a"]), ([-0.1], ["a"])])
def test_clustered_mean_refuses_what_it_cannot_read(x: list[float], clusters: list[str]) -> None:
    with pytest.raises(ValueError, match=r"one length|between 0 and 1"):
        clustered_mean(x, clusters)


def test_paired_difference_of_a_small_example() -> None:
    found = paired_difference(X, B, CONTESTS)
    assert found.mean == pytest.approx(0.075)
    assert found.se == pytest.approx(0.025515518153991446)
    assert found.lo == pytest.approx(-0.006201766476569434)
    assert found.hi == pytest.approx(0.15620176647656947)
    assert found.df == 3
    assert found.p == pytest.approx(0.06054008664346914)
    plain = paired_difference(X, B, range(8))
    assert plain.se == pytest.approx(0.052610428080915136)
    assert plain.p == pytest.approx(0.1970220721577505)


def test_only_problems_that_both_have_are_paired() -> None:
    found = paired_difference([*X, 1.0, nan], [*B, nan, 0.0], [*CONTESTS, "a", "a"])
    assert found == paired_difference(X, B, CONTESTS)
    none = paired_difference([1.0, nan], [nan, 1.0], "ab")
    assert none.n == 0
    assert isnan(none.mean)
    assert isnan(none.p)
    with pytest.raises(ValueError, match="one length"):
        paired_difference([1.0], [1.0, 0.0], "ab")


def test_models_that_never_differ_are_not_told_apart_and_constant_gaps_are() -> None:
    same = paired_difference(X, X, CONTESTS)
    assert (same.mean, same.se, same.p) == (0, 0, 1)
    assert same.hi == -same.lo == pytest.approx(1 - 0.025**0.25)
    apart = paired_difference([1.0] * 9, [0.0] * 9, range(9))
    assert (apart.mean, apart.hi) == (1, 1)
    assert apart.p == pytest.approx(2 * 0.5**9), "that of the sign test"
    assert apart.lo == pytest.approx(1 - 2 * (1 - 0.025 ** (1 / 9)))


@given(st.integers(2, 200), st.floats(0, 1))
def test_contests_that_agree_exclude_zero_where_the_p_value_says_so(contests: int, gap: float) -> None:
    found = paired_difference([gap] * contests, [0.0] * contests, range(contests))
    assume(abs(found.p - 0.05) > 1e-9)
    assert (found.lo > 0) is (found.p < 0.05)


def test_one_contest_tells_no_two_models_apart() -> None:
    found = paired_difference([1.0, 1.0], [0.0, 0.0], "aa")
    assert (found.lo, found.hi, found.p) == (-1, 1, 1)
    assert isnan(found.se)


def test_rank_intervals_of_a_small_example() -> None:
    found = rank_intervals([0.5, 0.45, 0.3, 0.1], [0.6, 0.56, 0.46, 0.2])
    assert found.lo.tolist() == [1, 1, 2, 4]
    assert found.hi.tolist() == [2, 3, 3, 4]
    assert rank_intervals([], []).lo.tolist() == []


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)), max_size=12), st.booleans())
def test_rank_intervals_hold_the_rank_by_score(rows: list[tuple[float, float, float]], unknown: bool) -> None:
    lows, scores, highs = ([sorted(row)[place] for row in rows] for place in range(3))
    if unknown and rows:
        lows[0] = highs[0] = nan
    best, worst = rank_intervals(lows, highs)
    for place, score in enumerate(scores):
        rank = 1 + sum(other > score for other in scores)
        assert 1 <= best[place] <= rank <= worst[place] <= len(rows)
    for place in range(len(rows)):
        if not isnan(lows[place]):
            assert best[place] == 1 + sum(not isnan(low) and low > highs[place] for low in lows)
            assert worst[place] == sum(isnan(high) or high >= lows[place] for high in highs)


def test_holm_steps_down_and_leaves_gaps() -> None:
    assert holm([0.01, nan, 0.04, 0.03]).tolist() == pytest.approx([0.03, nan, 0.06, 0.06], nan_ok=True)
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert holm([]).size == 0


@pytest.mark.parametrize(
    ("p", "q"),
    [
        ([0.01, 0.02, 0.03, 0.04, 0.05, 0.6], [0.06, 0.06, 0.06, 0.06, 0.06, 0.6]),
        ([0.6, 0.001, 0.9, 0.02], [0.8, 0.004, 0.9, 0.04]),
        ([1.0], [1.0]),
        ([0.01, nan, 0.04], [0.02, nan, 0.04]),
        ([], []),
    ],
)
def test_benjamini_and_hochberg(p: list[float], q: list[float]) -> None:
    assert list(benjamini_hochberg(p)) == pytest.approx(q, nan_ok=True)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.sampled_from([0.01, 0.05, 0.3]))
def test_q_rejects_what_the_step_up_rule_rejects(p: list[float], level: float) -> None:
    ordered = sorted(p)
    passing = [rank for rank, each in enumerate(ordered, start=1) if each * len(p) / rank <= level]
    limit = ordered[passing[-1] - 1] if passing else -1.0
    assert [each <= level for each in benjamini_hochberg(p)] == [each <= limit for each in p]


@given(st.lists(st.tuples(st.floats(-60, 60), st.integers(1, 400)), max_size=30))
def test_two_sided_tails_of_many_are_those_of_each(pairs: list[tuple[float, int]]) -> None:
    x, df = [each for each, _ in pairs], [each for _, each in pairs]
    expected = [2 * t_sf(abs(each), freedom) for each, freedom in pairs]
    assert two_sided_p(x, df).tolist() == pytest.approx(expected, rel=1e-9, abs=1e-300)
    assert two_sided_p([inf, -inf, nan, 0.0], 5).tolist() == pytest.approx([0, 0, nan, 1], nan_ok=True)
