"""Task Elo: Bradley-Terry by maximum likelihood, without order effects, with intervals from resampled problems."""

from itertools import combinations
from math import inf, isnan, log10, nan

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.examples import examples

from app.domain.metrics.intervals import Floats
from app.domain.ratings import bradley_terry, bradley_terry_intervals, bradley_terry_of_wins, win_matrix
from app.domain.ratings.bradley_terry import _denominator


def loop_wins(p: Floats, ties: str) -> Floats:
    """The win matrix, one battle at a time."""
    wins = np.zeros((len(p), len(p)))
    for a, b in combinations(range(len(p)), 2):
        for x, y in zip(p[a], p[b], strict=True):
            if not isnan(x + y):
                tie = (1 - x * (1 - y) - y * (1 - x)) / 2 if ties == "half" else 0.0
                wins[a, b] += x * (1 - y) + tie
                wins[b, a] += y * (1 - x) + tie
    return wins


def closure(wins: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Who can be reached from whom by arrows of wins."""
    reach = (wins > 0) | np.eye(len(wins), dtype=bool)
    for via in range(len(wins)):
        reach |= reach[:, [via]] & reach[[via]]
    return reach


def table(rng: np.random.Generator, models: int, problems: int, kind: str) -> Floats:
    ability, ease = rng.normal(0, 1, models), rng.normal(0, 1, problems)
    chance = 1 / (1 + np.exp(-ability[:, None] - ease))
    if kind == "real":
        return np.asarray(chance)
    samples = {"once": np.ones(models), "ten": np.full(models, 10), "mixed": rng.integers(1, 9, models)}[kind]
    return np.asarray(rng.binomial(samples.astype(int)[:, None], chance) / samples[:, None])


@st.composite
def tables(draw: st.DrawFn) -> Floats:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    p = table(
        rng, draw(st.integers(2, 9)), draw(st.integers(1, 40)), draw(st.sampled_from(["once", "ten", "mixed", "real"]))
    )
    return np.where(rng.random(p.shape) < draw(st.sampled_from([0.0, 0.3])), nan, p)


def test_a_small_table_of_wins_has_its_known_ratings() -> None:
    elo = bradley_terry_of_wins([[0, 7, 9], [3, 0, 6], [1, 4, 0]])
    np.testing.assert_allclose(elo.ratings, [1163.9211254880834, 972.1772371877919, 863.9016373241247], atol=1e-8)
    assert elo.identifiable.all()
    assert elo.components == ((0, 1, 2),)


def test_odds_of_ten_to_one_are_four_hundred_points() -> None:
    elo = bradley_terry_of_wins([[99, 10], [1, 99]])  # the diagonal is nobody's
    assert list(elo) == pytest.approx([1200, 800], abs=1e-8)
    assert (len(elo), elo[0]) == (2, elo.ratings[0])
    assert np.asarray(elo).tolist() == elo.ratings.tolist()


@settings(max_examples=examples(50))
@given(tables(), st.sampled_from(["drop", "half"]))
def test_wins_are_sums_of_fractional_battles(p: Floats, ties: str) -> None:
    np.testing.assert_allclose(win_matrix(p, ties), loop_wins(p, ties), atol=1e-9)  # type: ignore[arg-type]


@settings(max_examples=examples(50))
@given(tables(), tables(), st.sampled_from(["drop", "half"]))
def test_wins_on_more_problems_add_up(p: Floats, q: Floats, ties: str) -> None:
    few = min(len(p), len(q))
    p, q = p[:few], q[:few]
    both, *parts = (win_matrix(each, ties) for each in (np.hstack([p, q]), p, q))  # type: ignore[arg-type]
    np.testing.assert_allclose(both, np.sum(parts, axis=0), atol=1e-9)


@settings(max_examples=examples(50))
@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_a_win_more_raises_the_winner_and_lowers_the_loser(models: int, seed: int) -> None:
    wins = np.random.default_rng(seed).integers(1, 9, (models, models)).astype(float)
    before = bradley_terry_of_wins(wins)
    wins[0, 1] += 1
    after = bradley_terry_of_wins(wins)
    assert after[0] > before[0]
    assert after[1] < before[1]
    assert (after.ratings[2:] - before.ratings[2:] < after[0] - before[0]).all()


@settings(max_examples=examples(50))
@given(tables(), st.sampled_from(["drop", "half"]))
def test_ratings_are_where_expected_wins_equal_wins(p: Floats, ties: str) -> None:
    elo = bradley_terry(p, ties)  # type: ignore[arg-type]
    rated = np.flatnonzero(elo.identifiable)
    assume(rated.size > 0)
    wins = loop_wins(p, ties)[np.ix_(rated, rated)]
    rating = elo.ratings[rated]
    chance = 1 / (1 + 10 ** ((rating[None, :] - rating[:, None]) / 400))
    np.testing.assert_allclose(((wins + wins.T) * chance).sum(1), wins.sum(1), atol=1e-6)
    assert rating.mean() == pytest.approx(1000, abs=1e-6)


@settings(max_examples=examples(40))
@given(tables(), st.sampled_from(["drop", "half"]), st.randoms(use_true_random=False))
def test_the_order_of_models_and_problems_has_no_effect_at_all(p: Floats, ties: str, chance: object) -> None:
    rng = np.random.default_rng(chance.getrandbits(32))  # type: ignore[attr-defined]
    rows, columns = rng.permutation(len(p)), rng.permutation(p.shape[1])
    contest = np.arange(p.shape[1]) // 3
    one = bradley_terry_intervals(p, contest, ties, replicates=8)  # type: ignore[arg-type]
    other = bradley_terry_intervals(p[rows][:, columns], contest[columns], ties, replicates=8)  # type: ignore[arg-type]
    np.testing.assert_array_equal(one.elo.ratings[rows], other.elo.ratings)
    np.testing.assert_allclose(one.lo[rows], other.lo, atol=1e-6)
    np.testing.assert_allclose(one.hi[rows], other.hi, atol=1e-6)


@settings(max_examples=examples(50))
@given(tables())
def test_parts_are_strongly_connected_and_only_the_one_largest_is_rated(p: Floats) -> None:
    elo = bradley_terry(p)
    reach = closure(loop_wins(p, "drop"))
    both = reach & reach.T
    assert set(elo.components) == {tuple(np.flatnonzero(row).tolist()) for row in both}
    sizes = sorted((len(part) for part in elo.components), reverse=True)
    assert [len(part) for part in elo.components] == sizes
    rated = set(elo.components[0]) if sizes[0] > max(1, *sizes[1:], 1) else set()
    assert set(np.flatnonzero(elo.identifiable).tolist()) == rated
    assert np.array_equal(np.isnan(elo.ratings), ~elo.identifiable)


def test_separated_models_are_said_not_to_be_identifiable() -> None:
    # The first beats everybody always, the last nobody ever; the other three are as if alone.
    middle = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]]
    p = np.array([[1, 1, 1, 1, 1, 0.5], *([*row, 0, 1] for row in middle), [0, 0, 0, 0, 0, nan]], dtype=float)
    p[0, 5] = 1
    elo = bradley_terry(p)
    assert elo.identifiable.tolist() == [False, True, True, True, False]
    assert elo.components == ((1, 2, 3), (0,), (4,))
    np.testing.assert_array_equal(elo.ratings[1:4], bradley_terry(p[1:4]).ratings)


@pytest.mark.parametrize(
    "p",
    [
        np.zeros((0, 3)),
        np.zeros((3, 0)),
        [[0.5, 1]],
        [[1, 1], [1, 0]],
        [[nan, nan], [1, 0]],
        # Two pairs, one always above the other: neither can say where the scale has its middle.
        [[1, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0], [0, 0, 0, 1]],
    ],
)
@pytest.mark.parametrize("ties", ["drop", "half"])
def test_where_battles_say_nothing_nobody_is_rated(p: list[list[float]], ties: str) -> None:
    found = bradley_terry_intervals(p, range(np.shape(p)[1]), ties, replicates=3)  # type: ignore[arg-type]
    if ties == "drop" or len(p) < 2 or np.isnan(p).any() or not np.size(p):
        assert np.isnan([*found.elo.ratings, *found.lo, *found.hi]).all()
    else:
        assert found.elo.identifiable.all()


@settings(max_examples=examples(50))
@given(tables(), st.booleans())
def test_with_ties_half_and_complete_results_order_is_by_accuracy(p: Floats, dropped: bool) -> None:
    p = np.where(np.isnan(p), 0.0, p)
    elo = bradley_terry(p, "half")
    assume(elo.identifiable.all())
    accuracy = p.mean(axis=1)
    for a, b in combinations(range(len(p)), 2):
        if accuracy[a] > accuracy[b] + 1e-9:
            assert elo[a] > elo[b]
        elif abs(accuracy[a] - accuracy[b]) < 1e-12:
            assert elo[a] == pytest.approx(elo[b], abs=1e-6)


def test_dropping_ties_stretches_the_scale() -> None:
    p = table(np.random.default_rng(5), 12, 200, "ten")
    assert np.ptp(bradley_terry(p).ratings) > 1.2 * np.ptp(bradley_terry(p, "half").ratings)


def test_any_start_and_hard_cases_end_at_the_top() -> None:
    chain = np.diag(np.full(39, 1.0), 1) + np.diag(np.full(39, 1e-8), -1)
    assert -np.diff(bradley_terry_of_wins(chain).ratings) == pytest.approx(np.full(39, 3200), abs=1e-3)
    few = bradley_terry_of_wins([[0.0, 1e9], [2.0, 0.0]])
    assert few[0] - few[1] == pytest.approx(400 * log10(5e8), abs=1e-6)
    # One win in more than a billion battles is taken for none.
    assert not bradley_terry_of_wins([[0.0, 2e9], [1.0, 0.0]]).identifiable.any()


@pytest.mark.parametrize(
    "outcomes", [[0.5, 1], [[0.5, 1.1]], [[-0.1, 1]], [[inf, 0]]], ids=["one row", "above", "below", "infinite"]
)
def test_outcomes_must_be_rates(outcomes: object) -> None:
    with pytest.raises(ValueError, match=r"shape|between"):
        bradley_terry(outcomes)  # type: ignore[arg-type]


def test_other_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="ties"):
        bradley_terry([[1, 0], [0, 1]], "third")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="square"):
        bradley_terry_of_wins([[0, 1]])
    for wrong in (-1, nan, inf):
        with pytest.raises(ValueError, match="finite"):
            bradley_terry_of_wins([[0.0, wrong], [1.0, 0.0]])
    with pytest.raises(ValueError, match="label"):
        bradley_terry_intervals([[1, 0], [0, 1]], "a")
    with pytest.raises(ValueError, match="replicates"):
        bradley_terry_intervals([[1, 0], [0, 1]], "ab", replicates=0)
    with pytest.raises(ValueError, match="confidence"):
        bradley_terry_intervals([[1, 0], [0, 1]], "ab", confidence=1)


def test_rates_of_any_denominator_are_summed_as_they_are() -> None:
    assert _denominator(np.array([0.1, 0.5, 1 / 3]), 100) == 30
    assert _denominator(np.array([0.1, 0.123456789012]), 100) == 0
    assert _denominator(np.array([1 / 997, 1 / 991, 1 / 983, 1 / 977]), 100) == 0
    p = np.array([[1 / 997, 0.3], [1 / 991, 0.7]])
    np.testing.assert_allclose(win_matrix(p), loop_wins(p, "drop"), rtol=1e-9)


def test_intervals_resample_problems() -> None:
    rng = np.random.default_rng(3)
    p = table(rng, 5, 60, "ten")
    found = bradley_terry_intervals(p, np.arange(60), replicates=150)
    again = bradley_terry_intervals(p, np.arange(60), replicates=150)
    np.testing.assert_array_equal(found.lo, again.lo)
    assert found.refitted
    assert (found.lo < found.elo.ratings).all()
    assert (found.elo.ratings < found.hi).all()
    other = bradley_terry_intervals(p, np.arange(60), replicates=150, seed=1)
    assert not np.array_equal(found.lo, other.lo)
    narrow = bradley_terry_intervals(p, np.arange(60), replicates=150, confidence=0.5)
    assert (narrow.hi - narrow.lo < found.hi - found.lo).all()
    # The same problems thrice over in clusters of three say nothing more ...
    tripled = bradley_terry_intervals(np.repeat(p, 3, axis=1), np.repeat(np.arange(60), 3), replicates=150)
    np.testing.assert_allclose(tripled.hi, found.hi, atol=1e-6)
    # ... and in clusters of their own they do.
    alone = bradley_terry_intervals(np.repeat(p, 3, axis=1), np.arange(180), replicates=150)
    assert (alone.hi - alone.lo).mean() == pytest.approx((found.hi - found.lo).mean() / 3**0.5, rel=0.25)


@pytest.mark.parametrize("ties", ["drop", "half"])
@pytest.mark.parametrize("kind", ["once", "real"])
def test_one_newton_step_is_close_on_many_problems(ties: str, kind: str) -> None:
    p = table(np.random.default_rng(4), 6, 500, kind)
    p[2, :30] = nan
    contest = [f"contest {place // 5}" for place in range(500)]
    exact = bradley_terry_intervals(p, contest, ties, replicates=400)  # type: ignore[arg-type]
    quick = bradley_terry_intervals(p, contest, ties, replicates=400, most_work=0)  # type: ignore[arg-type]
    assert (exact.refitted, quick.refitted) == (True, False)
    width = exact.hi - exact.lo
    np.testing.assert_allclose(quick.hi, exact.hi, atol=0.1 * width.max())
    np.testing.assert_allclose(quick.lo, exact.lo, atol=0.1 * width.max())


def test_models_that_replicates_separate_have_open_ends() -> None:
    # The first lost a single battle, which every third replicate or so leaves out; the last won only that one.
    p = np.array([[0, 1, 1, 1, 1, 1], [0, 1, 0, 1, 0, 1], [0, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0, 0]], dtype=float)
    found = bradley_terry_intervals(p, range(6), replicates=200)
    assert found.elo.identifiable.all()
    assert found.hi[0] == inf
    assert found.lo[3] == -inf


def test_replicates_that_say_nothing_are_left_out() -> None:
    found = bradley_terry_intervals([[1, 0], [0, 1]], "ab", replicates=50)
    assert (found.lo < 1000).all()
    assert (found.hi > 1000).all()
    # Of one replicate alone, often nothing is left.
    unknown = [
        np.isnan(bradley_terry_intervals([[1, 0], [0, 1]], "ab", replicates=1, seed=seed).lo).all() for seed in range(9)
    ]
    assert set(unknown) == {True, False}


def test_one_cluster_cannot_say_how_far_off_it_is() -> None:
    found = bradley_terry_intervals([[1, 0, 1], [0, 1, 1]], "aaa", replicates=20)
    assert (found.lo == -inf).all()
    assert (found.hi == inf).all()


def test_many_models_are_rated() -> None:
    p = table(np.random.default_rng(6), 300, 400, "ten")
    elo = bradley_terry(p)
    assert np.corrcoef(elo.ratings, p.mean(axis=1))[0, 1] > 0.9
