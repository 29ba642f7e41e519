"""CoCo-Bench's and SuperCLUE-Code3's composites against their formulas, and the ease they rest on."""

from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.thinned import thinned

from app.domain.composites.scores import (
    PUBLISHED_WEIGHTS,
    CocoMode,
    coco_score,
    code3_score,
    dapr,
    dapr_estimate,
    on_scale,
    task_ease,
)
from app.domain.metrics.intervals import clustered_mean

SCORES = {"CU_F": 66.12, "CU_R": 9.09, "CG": 55.73, "CM": 45.0, "CR": 45.71}
percent = st.floats(0, 100)


def test_dapr_weighs_by_the_inverse_of_ease() -> None:
    assert dapr([1.0, 0.0], [10.0, 30.0]) == pytest.approx(0.75)
    assert dapr([100, 50, nan], [25, 25, 1]) == 75
    assert isnan(dapr([nan], [25.0]))
    assert isnan(dapr([], []))


@pytest.mark.parametrize(
    ("rates", "ease"), [([1], [1, 2]), ([[1]], [[1]]), ([1], [0]), ([1], [-3]), ([1], [nan]), ([1], [float("inf")])]
)
def test_dapr_refuses_what_has_no_weight(rates: list[float], ease: list[float]) -> None:
    with pytest.raises(ValueError, match="ease"):
        dapr(rates, ease)


@given(st.lists(st.tuples(percent, st.floats(4, 46)), min_size=1, max_size=9))
def test_dapr_is_a_mean(tasks: list[tuple[float, float]]) -> None:
    rates, ease = zip(*tasks, strict=True)
    assert min(rates) - 1e-9 <= dapr(rates, ease) <= max(rates) + 1e-9
    assert dapr(rates[::-1], ease[::-1]) == pytest.approx(dapr(rates, ease))


tasks = st.lists(
    st.tuples(st.sampled_from([0.0, 0.1, 0.5, 1.0, nan]), st.floats(4, 46), st.integers(0, 4)), max_size=15
)


@given(tasks)
def test_the_error_of_dapr_is_the_linearised_one(given_tasks: list[tuple[float, float, int]]) -> None:
    rates, ease, clusters = (np.array([task[place] for task in given_tasks]) for place in range(3))
    found = dapr_estimate(rates, ease, clusters)
    kept = [task for task in given_tasks if not isnan(task[0])]
    assert found.n == len(kept)
    assert found.clusters == len({each[2] for each in kept})
    if not kept:
        assert isnan(found.mean)
        return
    mean = dapr(rates, ease)
    assert found.mean == pytest.approx(mean)
    assert 0 <= found.lo <= found.mean <= found.hi <= 1
    sums: dict[int, float] = {}
    for rate, mu, cluster in kept:
        sums[cluster] = sums.get(cluster, 0.0) + (rate - mean) / mu
    if len(sums) < 2:
        assert isnan(found.se)
        return
    whole = sum(1 / mu for _, mu, _ in kept)
    variance = len(sums) / (len(sums) - 1) * sum(each**2 for each in sums.values()) / whole**2
    assert found.se == pytest.approx(variance**0.5, abs=1e-5)


@given(tasks)
def test_with_one_ease_for_all_dapr_is_the_clustered_mean(given_tasks: list[tuple[float, float, int]]) -> None:
    rates, _ease, clusters = (np.array([task[place] for task in given_tasks]) for place in range(3))
    found, plain = dapr_estimate(rates, np.full(rates.size, 30.0), clusters), clustered_mean(rates, clusters)
    for name in ("mean", "se", "lo", "hi", "n", "clusters", "df"):
        assert getattr(found, name) == pytest.approx(getattr(plain, name), abs=1e-6, nan_ok=True), name


@pytest.mark.parametrize(
    ("rates", "ease", "clusters"), [([1.0], [25.0], [1, 2]), ([1.1], [25.0], [1]), ([-0.1], [25.0], [1])]
)
def test_the_error_of_dapr_refuses(rates: list[float], ease: list[float], clusters: list[int]) -> None:
    with pytest.raises(ValueError, match="pass rates"):
        dapr_estimate(rates, ease, clusters)


@pytest.mark.parametrize(
    ("skill", "size"), thinned([(-2.0, 20), (-2.0, 100), (0.0, 100), (0.0, 20), (2.0, 20), (2.0, 100)], 2)
)
def test_95_percent_intervals_of_dapr_hold_the_truth(size: int, skill: float) -> None:
    rng = np.random.default_rng(20261121)
    z, noise, form = rng.standard_normal((3, 200_000))
    ease = on_scale((z + 0.6 * noise) / np.hypot(1, 0.6))
    truth = dapr(1 / (1 + np.exp(-(skill + 2 * z + 0.5 * form))), ease)
    held, boards = 0, 500
    for board in range(boards):
        mine = slice(board * size, (board + 1) * size)
        contests = np.repeat(np.arange(size), 4)[:size]
        logits = skill + 2 * z[mine] + 0.5 * form[mine][contests]
        found = dapr_estimate(rng.binomial(1, 1 / (1 + np.exp(-logits))), ease[mine], contests)
        held += found.lo <= truth <= found.hi
    assert 0.91 <= held / boards <= 0.99


def test_hard_tasks_have_little_ease_and_order_does_not_matter() -> None:
    rng = np.random.default_rng(4)
    truth, skill = rng.normal(0, 1.5, 12), rng.normal(0, 1, 40)
    rates = rng.binomial(1, 1 / (1 + np.exp(-(skill[:, None] + truth)))).astype(float)
    rates[rng.random(rates.shape) < 0.1] = nan
    mu = task_ease(rates)
    assert np.corrcoef(mu, truth)[0, 1] > 0.9
    assert mu.mean() == pytest.approx(25, abs=1)
    models, tasks = rng.permutation(40), rng.permutation(12)
    assert task_ease(rates[models][:, tasks]) == pytest.approx(mu[tasks], abs=1e-6)


def test_ease_stays_on_its_scale_whatever_passes() -> None:
    rates = np.zeros((5, 40))
    rates[:, 0] = 1
    mu = task_ease(rates)
    assert mu[0] == pytest.approx(25 + 25 / 3 * 2.5)
    assert np.all(mu > 4)
    assert task_ease(np.ones((3, 2))).tolist() == [25, 25]
    assert task_ease(np.full((3, 2), nan)).tolist() == [25, 25]
    assert task_ease(np.zeros((0, 2))).tolist() == [25, 25]
    assert task_ease(np.zeros((2, 0))).size == 0


@pytest.mark.parametrize("rates", [[1.0], [[1.5]], [[-0.1]]])
def test_ease_refuses_what_are_no_rates(rates: list[float]) -> None:
    with pytest.raises(ValueError, match="pass rates"):
        task_ease(rates)


def test_both_readings_of_the_coco_score() -> None:
    assert coco_score(SCORES) == pytest.approx(39.60, abs=0.005)
    by_number = (200 * 66.12 + 200 * 9.09 + 150 * 55.73 + 120 * 45 + 35 * 45.71) / 705
    assert coco_score(SCORES, "n_weighted") == pytest.approx(by_number)
    assert coco_score(SCORES, CocoMode.FIVE_TASK, dict.fromkeys(SCORES, 2.0)) == pytest.approx(
        np.mean([*SCORES.values()])
    )
    assert sum(PUBLISHED_WEIGHTS.values()) == pytest.approx(1)
    assert isnan(coco_score({**SCORES, "CG": nan}))


# CoCo-Bench's table 2, row by row: its five columns, and the score that is printed beside them.
TABLE_2 = [
    ((12.93, 3.33, 11.45, 30.00, 39.39), 16.87), ((9.92, 5.17, 16.41, 15.00, 25.71), 12.94),
    ((19.01, 4.17, 19.23, 20.00, 32.26), 16.67), ((13.45, 6.78, 18.60, 25.00, 31.43), 17.14),
    ((15.83, 6.67, 21.71, 15.00, 20.00), 14.50), ((14.88, 4.24, 19.08, 20.00, 29.41), 15.48),
    ((14.88, 3.31, 15.27, 20.00, 31.43), 14.84), ((15.13, 5.98, 19.85, 20.00, 25.71), 15.62),
    ((26.05, 5.08, 25.78, 25.00, 28.57), 19.68), ((35.65, 11.93, 46.92, 44.44, 28.12), 30.62),
    ((21.37, 8.40, 23.81, 35.00, 32.35), 21.91), ((33.88, 10.74, 39.53, 50.00, 37.14), 31.05),
    ((53.72, 15.70, 44.27, 15.00, 45.71), 32.06), ((57.02, 9.09, 35.88, 20.00, 34.29), 28.26),
    ((66.12, 9.09, 55.73, 45.00, 45.71), 39.60),
]  # fmt: skip


def test_the_published_coco_scores() -> None:
    for columns, printed in TABLE_2:
        assert round(coco_score(dict(zip(SCORES, columns, strict=True))), 2) == printed, (columns, printed)


@pytest.mark.parametrize(
    ("scores", "mode", "weights"),
    [
        ({"CG": 1.0}, "five_task", None),
        ({**SCORES, "CX": 1.0}, "five_task", None),
        ({**SCORES, "CG": 101.0}, "five_task", None),
        ({**SCORES, "CG": -1.0}, "five_task", None),
        (SCORES, "other", None),
        (SCORES, "five_task", {"CG": 1.0}),
        (SCORES, "five_task", {**PUBLISHED_WEIGHTS, "CG": 0.0}),
    ],
)
def test_the_coco_score_refuses(scores: dict[str, float], mode: str, weights: dict[str, float] | None) -> None:
    with pytest.raises(ValueError, match=r"sub-scores|weights|CocoMode"):
        coco_score(scores, mode, weights)


def test_code3_counts_levels_once_twice_and_thrice() -> None:
    assert code3_score([(80, 90), (54, 67), (20, 38)]) == pytest.approx(67.995, abs=0.005)
    assert code3_score([(1, 1), (0, 1), (0, 1)]) == pytest.approx(100 / 6)
    assert code3_score([(1.5, 3), (0, 1), (0, 1)]) == pytest.approx(50 / 6), "of two answers one passed"
    assert isnan(code3_score([(0, 0), (1, 1), (1, 1)]))


@pytest.mark.parametrize("levels", [[(1, 1)], [(2, 1), (1, 1), (1, 1)], [(-1, 1), (1, 1), (1, 1)]])
def test_code3_refuses_what_are_no_counts(levels: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="passed, total"):
        code3_score(levels)
