"""Scores made of scores: CoCo-Bench's DAPR and CoCo-Score, SuperCLUE-Code3's weighted score.

CoCo-Bench (arXiv 2504.20673) weighs tasks by w_i = (1/mu_i) / sum_j (1/mu_j), where mu is the ease of a task on the
scale of TrueSkill (mean 25): hard tasks weigh more. Its text sums its four scenarios by their numbers of tasks, but all
15 rows of its table 2 are one weighted mean over five tasks, to the printed digit. Both readings are here. Its mu come
from an order-dependent fit with unpublished settings; ours are mu = 25 + 25/3 clip(z, -2.5, 2.5), with z the
standardised Rasch ease: same scale, independent of order; app.domain.composites.ease describes how they are frozen.

SuperCLUE-Code3 weighs its levels 1 : 2 : 3.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import isfinite, nan, sqrt

import numpy as np
from numpy.typing import ArrayLike

from app.domain.metrics.clusters import effective_clusters
from app.domain.metrics.intervals import Estimate, Floats, mean_bounds, rounding_variance

# Fitted to table 2 of CoCo-Bench: understanding forwards and backwards, generation, modification, review.
PUBLISHED_WEIGHTS: Mapping[str, float] = {
    "CU_F": 0.18032, "CU_R": 0.31130, "CG": 0.17328, "CM": 0.17918, "CR": 0.15592,
}  # fmt: skip
# Number of tasks of each; the text counts the 400 of understanding as one scenario.
_TASKS: Mapping[str, int] = {"CU_F": 200, "CU_R": 200, "CG": 150, "CM": 120, "CR": 35}
_LEVEL_WEIGHTS = (1, 2, 3)
EASE_CENTRE, EASE_SPREAD, MAX_DEVIATIONS = 25.0, 25.0 / 3.0, 2.5
_PRIOR_VARIANCE = 1.5**2
# Models that pass everything or nothing have no finite ability without this very wide prior.
_ABILITY_VARIANCE = 10.0**2
_MAX_ROUNDS, _CONVERGED = 500, 1e-10


class CocoMode(StrEnum):
    """The way to combine five sub-scores: as table 2 of the paper, or as its text."""

    FIVE_TASK = "five_task"
    N_WEIGHTED = "n_weighted"


def dapr(pass_rates: ArrayLike, ease: ArrayLike) -> float:
    """Return the difficulty-adjusted pass rate, sum pass_i w_i / sum w_i with w_i = 1 / ease_i.

    It is in the unit of `pass_rates`, one entry per task; tasks without a pass rate (nan) are left out, and nan is
    returned if none is left. `ease` is on the scale of `task_ease`. Raises ValueError on different lengths and on an
    ease that is not positive.
    """
    rates, mu = _check_tasks(pass_rates, ease)
    mask = ~np.isnan(rates)
    weights = 1 / mu[mask]
    return float(rates[mask] @ weights / weights.sum()) if mask.any() else nan


def dapr_estimate(pass_rates: ArrayLike, ease: ArrayLike, clusters: ArrayLike, *, confidence: float = 0.95) -> Estimate:
    """Return `dapr` of pass rates in [0, 1] with contest-clustered standard error and interval; one cluster per task.

    A weighted mean r = sum w x / sum w is a ratio of two sums, and its variance is that of its linearisation (Taylor
    series; Binder 1983, Int. Stat. Rev. 51; Wolter, Introduction to Variance Estimation, 2nd ed., section 6.3):

        v = G/(G-1) sum_g (sum_{j in g} w_j (x_j - r))^2 / (sum_j w_j)^2      over G clusters, weights held fixed

    With equal weights that is the variance of `metrics.clustered_mean`, and the interval is that one's: `mean_bounds`
    with n = (sum w)^2 / sum w^2 (Kish) and the same v over single tasks as the plain variance. Weights are frozen, so
    their uncertainty is not included. Raises ValueError as `dapr` does, and on rates outside [0, 1].
    """
    rates, mu = _check_tasks(pass_rates, ease)
    labels = np.asarray(clusters)
    if labels.shape != rates.shape:
        raise ValueError("pass rates and clusters must have one length")
    mask = ~np.isnan(rates)
    x, weights = rates[mask], 1 / mu[mask]
    if np.any((x < 0) | (x > 1)):
        raise ValueError("pass rates must lie between 0 and 1")
    if not x.size:
        return Estimate(nan, nan, nan, nan, 0, 0, 0)
    weights = weights / weights.sum()
    mean = float(np.clip(x @ weights, x.min(), x.max()))
    _, codes = np.unique(labels[mask], return_inverse=True)
    scores = weights * (x - mean)
    variance, count = _linearised_variance(np.bincount(codes, weights=scores).astype(np.float64), x.size)
    alike = effective_clusters(np.bincount(codes, weights=weights))
    plain, _ = _linearised_variance(scores, x.size)
    size = 1 / float(weights @ weights)
    bounds = mean_bounds(
        *(np.array([value]) for value in (mean, variance, plain, size, count, alike)), confidence=confidence
    )
    return Estimate(mean, sqrt(variance), float(bounds.lo[0]), float(bounds.hi[0]), x.size, count, count - 1)


def _linearised_variance(sums: Floats, n: int) -> tuple[float, int]:
    """Return (variance, clusters) of a weighted mean of `n` values; `sums` of w (x - r) by cluster, sum of w = 1."""
    count = sums.size
    if count < 2:
        return nan, count
    variance = float(np.square(sums).sum()) * count / (count - 1)
    # A sum of squares in [0, 1] that should be 0 may be this large by rounding.
    return 0.0 if variance <= rounding_variance(1.0, n) else variance, count


def _check_tasks(pass_rates: ArrayLike, ease: ArrayLike) -> tuple[Floats, Floats]:
    rates, mu = np.asarray(pass_rates, dtype=np.float64), np.asarray(ease, dtype=np.float64)
    if rates.ndim != 1 or rates.shape != mu.shape:
        raise ValueError("pass rates and ease must have one length")
    if not np.all(np.isfinite(mu) & (mu > 0)):
        raise ValueError("ease must be positive")
    return rates, mu


def task_ease(pass_rates: ArrayLike) -> Floats:
    """Return the ease of each task from pass rates in [0, 1] of shape (models, tasks), nan if missing: 4.2 .. 45.8.

    It is the standardised `rasch_ease`. Freeze it with the models it was made of, so that a new model changes no old
    score.
    """
    return on_scale(standardise(rasch_ease(pass_rates)))


def standardise(ease: Floats) -> Floats:
    """Return values of mean 0 and variance 1; all 0 if there is no spread."""
    spread = float(ease.std()) if ease.size else 0.0
    z: Floats = (ease - ease.mean()) / spread if spread > _CONVERGED else np.zeros(ease.shape)
    return z


def on_scale(z: Floats) -> Floats:
    """Return the ease mu = 25 + 25/3 z, with z clipped to 2.5."""
    mu: Floats = EASE_CENTRE + EASE_SPREAD * np.clip(z, -MAX_DEVIATIONS, MAX_DEVIATIONS)
    return mu


def rasch_ease(pass_rates: ArrayLike) -> Floats:
    """Return the ease of each task in logits, from pass rates in [0, 1] of shape (models, tasks), nan if missing.

    By a Rasch model, logit p = ability + ease with ease ~ N(0, 1.5^2), fitted by quasi-likelihood. The order of models
    and tasks does not matter. Raises ValueError on other shapes and on rates outside [0, 1].
    """
    rates = np.asarray(pass_rates, dtype=np.float64)
    if rates.ndim != 2:
        raise ValueError("pass rates must be of shape (models, tasks)")
    mask = ~np.isnan(rates)
    if np.any((rates[mask] < 0) | (rates[mask] > 1)):
        raise ValueError("pass rates must lie between 0 and 1")
    return _rasch(np.where(mask, rates, 0.0), mask.astype(np.float64))


def _rasch(rates: Floats, mask: Floats) -> Floats:
    """Return ease by alternating Newton steps on abilities and ease; the objective is concave, so they converge."""
    ability, ease = np.zeros(rates.shape[0]), np.zeros(rates.shape[1])
    for _round in range(_MAX_ROUNDS):
        change = 0.0
        for axis, values, variance in ((1, ability, _ABILITY_VARIANCE), (0, ease, _PRIOR_VARIANCE)):
            chance = mask / (1 + np.exp(-(ability[:, None] + ease)))
            score = (rates - chance).sum(axis=axis) - values / variance
            curvature = (chance * (1 - chance)).sum(axis=axis) + 1 / variance
            step = np.clip(score / curvature, -1.0, 1.0)
            values += step
            change = max(change, float(np.abs(step).max(initial=0.0)))
        if change < _CONVERGED:
            break
    return ease


def coco_score(
    subscores: Mapping[str, float],
    mode: CocoMode | str = CocoMode.FIVE_TASK,
    weights: Mapping[str, float] | None = None,
) -> float:
    """Return CoCo-Score in percent of the sub-scores CU_F, CU_R, CG, CM and CR in percent.

    `five_task` weighs them by `weights` (by default those of the published table), `n_weighted` by their numbers of
    tasks. nan if a sub-score is nan: a task that was not tried is not failed. Raises ValueError if one is missing,
    unknown or outside 0..100, or if a weight is not positive.
    """
    factors = _TASKS if CocoMode(mode) is CocoMode.N_WEIGHTED else PUBLISHED_WEIGHTS if weights is None else weights
    if set(subscores) != set(_TASKS) or set(factors) != set(_TASKS):
        raise ValueError(f"the sub-scores are {', '.join(_TASKS)}")
    if not all(isfinite(value) and value > 0 for value in factors.values()):
        raise ValueError("weights must be positive")
    if any(not 0 <= subscore <= 100 for subscore in subscores.values() if subscore == subscore):
        raise ValueError("sub-scores are percent")
    return sum(subscores[name] * factors[name] for name in _TASKS) / sum(factors.values())


def code3_score(levels: Sequence[tuple[float, float]]) -> float:
    """Return SuperCLUE-Code3's score in percent: (1 p_1 + 2 p_2 + 3 p_3) / 6 of the levels' pass rates.

    `levels` holds (passed, total) of the primary, intermediate and advanced level; a problem with several answers is
    passed by the share of them that pass. Computed from counts, never from rounded rates. nan if a level has no
    problem. Raises ValueError unless there are three pairs of counts.
    """
    if len(levels) != len(_LEVEL_WEIGHTS) or any(not 0 <= passed <= total for passed, total in levels):
        raise ValueError("three pairs of (passed, total) are needed, 0 <= passed <= total")
    if any(total == 0 for _passed, total in levels):
        return nan
    parts = (weight * passed / total for weight, (passed, total) in zip(_LEVEL_WEIGHTS, levels, strict=True))
    return 100 * sum(parts) / sum(_LEVEL_WEIGHTS)
