"""What a row would score on a whole window, judged by the part of it that counts so far.

A run that is not finished, or whose model may have seen some of the problems, has answers that count on a part of the
window only, and that part may be easier or harder than the rest. Its pass rate on a problem is taken to follow

    logit p = a + b x,   x = ln((S + 1/2) / (C - S + 1/2)),

with S the sum of the pass rates of the C other runs graded on that problem: a logistic fit by quasi-likelihood over
the problems that count, with a prior N(1, 1/2) on b only, so that the fit's sum over them is the observed sum. The
estimate is the mean of the fitted rates over all problems of the window (direct standardisation); over a complete row
it is the mean itself, and its clustered variance (the sum over contests of squared influences, G/(G-1)) is the usual
one. A part that is all passes or all failures would have no fit and no spread: half a pass and half a failure on a
problem of its mean ease are added, and the variance is the fit's own, g' H^-1 g.
It is no score: it takes for granted that the problems left are as hard for this model as for the others.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.intervals import Bounds, Floats, Ints, mean_bounds

# Ease is read to a tenth of a logit, so that a fit is over a few hundred values and not over all problems.
_STEP, _FURTHEST = 0.1, 8.0
_PLACES = round(2 * _FURTHEST / _STEP) + 1
_SLOPE, _PRECISION = 1.0, 4.0
_ROUNDS, _STILL = 40, 1e-10


class Estimated(NamedTuple):
    """One entry per row: the estimate and its interval as pass rates, nan where nothing counts."""

    mean: Floats
    bounds: Bounds


class Ease(NamedTuple):
    """Of each problem: the sum of pass rates over all runs graded on it, and how many these are."""

    rates: Floats
    graded: Floats


def whole_window(
    rate: Floats, graded: NDArray[np.bool_], counts: NDArray[np.bool_], ease: Ease, clusters: Ints
) -> Estimated:
    """Estimates for rows given as columns: pass rates where `graded`, and which of those `counts`, of shape (problems,
    rows).

    `ease` holds what all runs did, these rows included: each row's own results are taken out of it. `clusters` names
    the contest of each problem.
    """
    problems, rows = rate.shape
    observed = counts.sum(axis=0)
    if not problems or not rows:
        return Estimated(np.full(rows, np.nan), Bounds(np.full(rows, np.nan), np.full(rows, np.nan)))
    # A line for each row: what goes along lines is quickest.
    rate, seen, counted = (np.ascontiguousarray(values.T, dtype=np.float64) for values in (rate, graded, counts))
    solved, others = ease.rates - rate * seen, ease.graded - seen
    rate = rate * counted
    odds = np.clip(solved, 0.0, others) + 0.5
    odds /= np.maximum(others - solved, 0.0) + 0.5
    logit = np.clip(np.log(odds, out=odds), -_FURTHEST, _FURTHEST, out=odds)
    place = np.rint((logit + _FURTHEST) / _STEP).astype(np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = rate.sum(axis=1) / observed
        certain = (share <= 0) | (share >= 1)
        smoothed = certain & (observed < problems)
        certain &= ~smoothed
        fitted, influence, own = _fit(rate, counted, place, smoothed)
        mean = np.where(certain, share, fitted.mean(axis=1))
        per_problem = (fitted - mean[:, None]) / problems + influence * (rate - fitted) * counted
        variance = _clustered(per_problem, clusters)
        plain = np.square(per_problem).sum(axis=1) * problems / max(problems - 1, 1)
    variance, plain = (np.where(smoothed, own, values) for values in (variance, plain))
    contests = _contests(counted, clusters)
    bounds = mean_bounds(mean, np.where(certain, 0.0, variance), np.where(certain, 0.0, plain), observed, contests)
    nothing = observed == 0
    return Estimated(np.where(nothing, np.nan, mean), Bounds(*(np.where(nothing, np.nan, bound) for bound in bounds)))


def _fit(rate: Floats, counts: Floats, place: Ints, smoothed: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Fitted rates, and how far each residual moves the mean of them, both of shape (rows, problems); and the variance
    of that mean by the fit alone. Rows that are `smoothed` are fitted with half a pass and half a failure more."""
    rows, problems = rate.shape
    cell = place + _PLACES * np.arange(rows)[:, None]

    def by_place(values: Floats | None) -> Floats:
        weights = None if values is None else values.ravel()
        return np.bincount(cell.ravel(), weights, minlength=rows * _PLACES).reshape(rows, _PLACES).astype(np.float64)

    x = np.arange(_PLACES) * _STEP - _FURTHEST
    total, tries, solved = by_place(None), by_place(counts), by_place(rate)
    more = np.flatnonzero(smoothed)
    middle = np.rint((place * counts)[more].sum(axis=1) / counts[more].sum(axis=1)).astype(np.int64)
    tries[more, middle] += 1.0
    solved[more, middle] += 0.5
    intercept, slope = np.zeros(rows), np.full(rows, _SLOPE)
    for _round in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-(intercept[:, None] + slope[:, None] * x)))
        weight = np.maximum(chance * (1 - chance), 1e-12) * tries
        residual = solved - chance * tries
        score = residual.sum(axis=1), (residual * x).sum(axis=1) - _PRECISION * (slope - _SLOPE)
        hessian = weight.sum(axis=1), (weight * x).sum(axis=1), (weight * x * x).sum(axis=1) + _PRECISION
        scale = np.maximum(hessian[0] * hessian[2] - hessian[1] ** 2, 1e-12)
        # A complete row that solved all or nothing has no finite fit: its steps are held, and its mean is its estimate.
        moves = (
            np.clip((hessian[2] * score[0] - hessian[1] * score[1]) / scale, -2.0, 2.0),
            np.clip((hessian[0] * score[1] - hessian[1] * score[0]) / scale, -1.0, 1.0),
        )
        intercept, slope = np.clip(intercept + moves[0], -30.0, 30.0), slope + moves[1]
        if max(float(np.abs(move).max()) for move in moves) < _STILL:
            break
    chance = 1 / (1 + np.exp(-(intercept[:, None] + slope[:, None] * x)))
    weight = np.maximum(chance * (1 - chance), 1e-12)
    over_all = (weight * total).sum(axis=1) / problems, (weight * total * x).sum(axis=1) / problems
    first = (over_all[0] * hessian[2] - over_all[1] * hessian[1]) / scale
    second = (over_all[1] * hessian[0] - over_all[0] * hessian[1]) / scale
    influence = first[:, None] + second[:, None] * x
    own = first * over_all[0] + second * over_all[1]
    return chance.ravel().take(cell), influence.ravel().take(cell), own


def _clustered(influence: Floats, clusters: Ints) -> Floats:
    sums = _by_contest(influence, clusters)
    count = sums.shape[1]
    variance: Floats = np.square(sums).sum(axis=1) * (count / (count - 1) if count > 1 else np.nan)
    return variance


def _contests(counts: Floats, clusters: Ints) -> Ints:
    contests: Ints = (_by_contest(counts, clusters) > 0).sum(axis=1)
    return contests


def _by_contest(values: Floats, clusters: Ints) -> Floats:
    """The sums over the problems of each contest, which mostly are neighbours."""
    if np.any(clusters[1:] < clusters[:-1]):
        order = np.argsort(clusters, kind="stable")
        values, clusters = values[:, order], clusters[order]
    starts = np.flatnonzero(np.diff(clusters, prepend=clusters[0] - 1))
    return np.add.reduceat(values, starts, axis=1)
