"""Estimates of a row's score on a whole window, from the part of it that counts so far.

An unfinished run, or one whose model may have seen some of the problems, has answers that count on a part of the window
only, and that part may be easier or harder than the rest. Its pass rate on a problem is assumed to follow

    logit p = a + b x,   x = ln((S + 1/2) / (C - S + 1/2)) - ln((E + 1/2) / (C - E + 1/2)),

with S the sum of the pass rates of the C other runs graded on that problem, and E the sum of their own means, which is
what these C runs would pass of an average problem: x is 0 if no other run was graded, and a problem does not look easy
because only strong models were judged on it yet. It is a logistic fit by quasi-likelihood over the problems that count,
with a prior N(1, 1/2) on b only, so that the fit's sum over them is the observed sum. The estimate is the mean over all
problems of the results that count, and of the fitted rates for the others.

If an answer continues an earlier one, the earlier result decides which results exist: a passed answer is carried over
at once, and a failed one is asked again. So each answer of the chain has a fit of its own, the later ones only over the
problems whose previous answer failed, and a missing result is predicted from the last known one: a problem that passed
is passed, one that failed passes by the fits of the answers after that.

The clustered variance is that of the sum over contests of squared influences, G/(G-1); over a complete row it is the
usual one. Results that are all passes or all failures would have no fit and no spread: half a pass and half a failure
on a problem of their mean ease are added, the variance is the fit's own, g' H^-1 g, and the interval reaches the score
of a row that goes on like that. The estimate is not a score: it assumes that the remaining problems are as hard for
this model as for the others.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.intervals import Floats, IntervalBounds, Ints, mean_bounds

# Ease is rounded to a tenth of a logit, so that a fit is over a few hundred values instead of all problems.
_EASE_STEP, _MAX_EASE = 0.1, 8.0
_EASE_PLACES = round(2 * _MAX_EASE / _EASE_STEP) + 1
_PRIOR_SLOPE, _PRIOR_PRECISION = 1.0, 4.0
_MAX_ROUNDS, _CONVERGED = 40, 1e-10
_CELLS_AT_ONCE = 1 << 14


class WindowEstimates(NamedTuple):
    """One entry per row: the estimate and its interval as pass rates, nan if there is none."""

    mean: Floats
    bounds: IntervalBounds


class Ease(NamedTuple):
    """By problem: the sum of pass rates over all runs graded on it, the number of these, and the sum of their means."""

    rates: Floats
    graded: Floats
    expected: Floats


class ProblemResults(NamedTuple):
    """Pass rates (0 if there are none) and flags of those that count, of shape (problems, rows)."""

    rate: Floats
    counts: NDArray[np.bool_]

    def by_row(self, problems: NDArray[np.intp], rows: slice) -> "ProblemResults":
        """Return some rows with the problems in this order, of shape (rows, problems)."""
        rate, counts = self.rate[problems, rows].T, self.counts[problems, rows].T
        return ProblemResults(np.ascontiguousarray(rate), np.ascontiguousarray(counts))


def estimate_whole_window(
    own: ProblemResults, results: Sequence[ProblemResults], ease: Ease, means: Floats, clusters: Ints
) -> WindowEstimates:
    """Return estimates for rows from `results` of their answers.

    Each of these but the first continues the one before it, and the last is the estimated one. `ease` holds the results
    of all runs on the first answer, including these rows; their `own` results are subtracted from it, and their `means`
    likewise. `clusters` names the contest of each problem. A row has no estimate if a fit that it needs has no result.
    """
    problems, rows = own.rate.shape
    if not problems or not rows:
        return WindowEstimates(np.full(rows, np.nan), IntervalBounds(np.full(rows, np.nan), np.full(rows, np.nan)))
    order = np.argsort(clusters, kind="stable")
    ease, clusters = Ease(*(values[order] for values in ease)), clusters[order]
    starts = np.flatnonzero(np.diff(clusters, prepend=clusters[0] - 1))
    # Few rows at a time, so that intermediate values stay in the processor's cache.
    size = max(1, _CELLS_AT_ONCE // problems)
    parts = []
    for at in range(0, rows, size):
        here = slice(at, at + size)
        own_part, *chain = (part.by_row(order, here) for part in (own, *results))
        parts.append(_estimate_rows(_ease_of_others(own_part, ease, means[here]), chain, starts))
    mean, variance, plain, observed, contests, alike, least, most, lacks = np.concatenate(parts, axis=1)
    bounds = mean_bounds(mean, variance, plain, observed.astype(np.int64), contests, alike)
    ends = mean, np.minimum(bounds.lo, least), np.maximum(bounds.hi, most)
    mean, low, high = (np.where(lacks > 0, np.nan, values) for values in ends)
    return WindowEstimates(mean, IntervalBounds(low, high))


class _Fit(NamedTuple):
    """By row and place of ease, the fitted rate; by row, the entries of the Hessian and its determinant."""

    chance: Floats
    hessian: tuple[Floats, Floats, Floats]
    scale: Floats

    def solve(self, first: Floats, second: Floats) -> tuple[Floats, Floats]:
        """Return H^-1 times a vector, by row."""
        level, mixed, steep = self.hessian
        return (steep * first - mixed * second) / self.scale, (level * second - mixed * first) / self.scale


class _Stage(NamedTuple):
    """One answer of a chain, of shape (rows, problems).

    `tries` is the share of a problem on which it is fitted, `solved` the part of that which passed, `chance` the fitted
    rate; by row, `alike` flags equal results on all of it, and `share` is their value.
    """

    tries: Floats
    solved: Floats
    chance: Floats
    fit: _Fit
    alike: NDArray[np.bool_]
    share: Floats


def _estimate_rows(place: Ints, chain: Sequence[ProblemResults], starts: Ints) -> Floats:
    """Return the figures of each row, one line for each figure.

    They are: mean, variance with and without clusters, number of problems that count, their contests and effective
    contests, least and most that the ends of an interval reach, and 1 if a needed fit has no result. The contests'
    first problems are at `starts`.
    """
    rows, problems = place.shape
    x = place * _EASE_STEP - _MAX_EASE
    cell = place + _EASE_PLACES * np.arange(rows)[:, None]
    stages = [_stage(cell, *data) for data in _fit_data(chain)]
    failing, predicted = _failure_chances(chain, [stage.chance for stage in stages])
    mean = 1.0 - failing.mean(axis=1)
    least, most = mean.copy(), mean.copy()
    moved = (1.0 - failing - mean[:, None]) / problems
    added = np.zeros(rows)
    for stage, here in zip(stages, predicted, strict=True):
        slope = np.where(here, failing * stage.chance, 0.0) / problems
        first, second = slope.sum(axis=1), (slope * x).sum(axis=1)
        level, steep = stage.fit.solve(first, second)
        added += np.where(stage.alike, level * first + steep * second, 0.0)
        residual = np.where(stage.alike[:, None], 0.0, stage.solved - stage.tries * stage.chance)
        moved += (level[:, None] + steep[:, None] * x) * residual
    if any(stage.alike.any() for stage in stages):
        for ends, value in ((least, 0.0), (most, 1.0)):
            chances = [
                np.where((stage.alike & (stage.share == value))[:, None], value, stage.chance) for stage in stages
            ]
            ends[:] = 1.0 - _failure_chances(chain, chances)[0].mean(axis=1)
    sums, count = np.add.reduceat(moved, starts, axis=1), starts.size
    variance = np.square(sums).sum(axis=1) * (count / (count - 1) if count > 1 else np.nan) + added
    plain = np.square(moved).sum(axis=1) * problems / max(problems - 1, 1) + added
    sizes = np.add.reduceat(chain[-1].counts, starts, axis=1, dtype=np.float64)
    judged = sizes.sum(axis=1)
    equal = judged**2 / np.maximum(np.square(sizes).sum(axis=1), 1.0)
    lacks = judged <= 0
    for stage, here in zip(stages, predicted, strict=True):
        lacks |= here.any(axis=1) & (stage.tries.sum(axis=1) <= 0)
    return np.stack(
        [mean, variance, plain, judged, np.count_nonzero(sizes, axis=1), equal, least, most, lacks], dtype=np.float64
    )


def _fit_data(chain: Sequence[ProblemResults]) -> list[tuple[Floats, Floats]]:
    """Return for each answer the share of each problem that the previous answer failed, and the part that passes."""
    pairs = [(chain[0].counts.astype(np.float64), chain[0].rate * chain[0].counts)]
    for before, after in pairwise(chain):
        tries = (1.0 - before.rate) * (before.counts & after.counts)
        pairs.append((tries, np.clip(after.rate - before.rate, 0.0, 1.0) * (tries > 0)))
    return pairs


def _failure_chances(
    chain: Sequence[ProblemResults], chances: Sequence[Floats]
) -> tuple[Floats, list[NDArray[np.bool_]]]:
    """Return the chance that each problem is failed in the end, and for each answer the places that its fit predicts.

    These are the places for which neither the answer nor a later one has a result.
    """
    open_, failing, predicted = np.ones(chain[0].counts.shape, dtype=bool), np.ones(chain[0].counts.shape), []
    for answer, chance in zip(reversed(chain), reversed(chances), strict=True):
        failing *= np.where(open_, 1.0 - np.where(answer.counts, answer.rate, chance), 1.0)
        predicted.append(open_ & ~answer.counts)
        open_ = predicted[-1]
    return failing, predicted[::-1]


def _stage(cell: Ints, tries: Floats, solved: Floats) -> _Stage:
    rows = len(cell)
    tried, passed = (
        np.bincount(cell.ravel(), values.ravel(), minlength=rows * _EASE_PLACES)
        .reshape(rows, _EASE_PLACES)
        .astype(np.float64)
        for values in (tries, solved)
    )
    total = tries.sum(axis=1)
    share = np.divide(solved.sum(axis=1), total, out=np.full(rows, np.nan), where=total > 0)
    alike = (share <= 0) | (share >= 1)
    fit = _fit(tried, passed, alike)
    return _Stage(tries, solved, fit.chance.take(cell), fit, alike, share)


def _ease_of_others(own: ProblemResults, ease: Ease, means: Floats) -> Ints:
    """Return the place of ease of each problem for each row, of shape (rows, problems)."""
    graded = ease.graded - own.counts
    solved = np.clip(ease.rates - own.rate * own.counts, 0.0, graded)
    expected = np.clip(ease.expected - means[:, None] * own.counts, 0.0, graded)
    logit = np.log((solved + 0.5) / (graded - solved + 0.5)) - np.log((expected + 0.5) / (graded - expected + 0.5))
    places: Ints = np.rint((np.clip(logit, -_MAX_EASE, _MAX_EASE) + _MAX_EASE) / _EASE_STEP).astype(np.int64)
    return places


def _fit(tries: Floats, solved: Floats, smoothed: NDArray[np.bool_]) -> _Fit:
    """Return the fit to sums by row and place of ease. `smoothed` rows get half a pass and half a failure more."""
    rows = len(tries)
    x = np.arange(_EASE_PLACES) * _EASE_STEP - _MAX_EASE
    more = np.flatnonzero(smoothed)
    middle = np.rint((tries[more] * np.arange(_EASE_PLACES)).sum(axis=1) / tries[more].sum(axis=1)).astype(np.int64)
    tries[more, middle] += 1.0
    solved[more, middle] += 0.5
    intercept, slope = np.zeros(rows), np.full(rows, _PRIOR_SLOPE)
    for _round in range(_MAX_ROUNDS):
        chance = 1 / (1 + np.exp(-(intercept[:, None] + slope[:, None] * x)))
        weight = np.maximum(chance * (1 - chance), 1e-12) * tries
        residual = solved - chance * tries
        score = residual.sum(axis=1), (residual * x).sum(axis=1) - _PRIOR_PRECISION * (slope - _PRIOR_SLOPE)
        hessian = weight.sum(axis=1), (weight * x).sum(axis=1), (weight * x * x).sum(axis=1) + _PRIOR_PRECISION
        scale = np.maximum(hessian[0] * hessian[2] - hessian[1] ** 2, 1e-12)
        fit = _Fit(chance, hessian, scale)
        # Far from the fit a step may lead further away, so steps are bounded.
        moves = [np.clip(move, -most, most) for move, most in zip(fit.solve(*score), (2.0, 1.0), strict=True)]
        intercept, slope = np.clip(intercept + moves[0], -30.0, 30.0), slope + moves[1]
        if max(float(np.abs(move).max()) for move in moves) < _CONVERGED:
            break
    return fit
