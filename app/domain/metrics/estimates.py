"""What a row would score on a whole window, judged by the part of it that counts so far.

A run that is not finished, or whose model may have seen some of the problems, has answers that count on a part of the
window only, and that part may be easier or harder than the rest. Its pass rate on a problem is taken to follow

    logit p = a + b x,   x = ln((S + 1/2) / (C - S + 1/2)) - ln((E + 1/2) / (C - E + 1/2)),

with S the sum of the pass rates of the C other runs graded on that problem, and E what these C runs would pass of an
average problem, the sum of their own means: x is 0 where no other run was graded, and does not take a problem for easy
because only strong models were judged on it yet. It is a logistic fit by quasi-likelihood over the problems that count,
with a prior N(1, 1/2) on b only, so that the fit's sum over them is the observed sum. The estimate is the mean over all
problems of what counts, and of the fitted rates where nothing does.

Where an answer continues an earlier one (`later`), which results are there depends on how that one ended: what passed
is carried over at once, and what failed is to be asked again. So each answer of the chain has a fit of its own, the
later ones over the problems alone whose answer before failed, and what is missing is predicted from the last result
that is known of it: a problem that passed is passed, one that failed passes by the fits of the answers after that.

The clustered variance is that of the sum over contests of squared influences, G/(G-1); over a complete row it is the
usual one. Results that are all passes or all failures would have no fit and no spread: half a pass and half a failure
on a problem of their mean ease are added, the variance is the fit's own, g' H^-1 g, and the interval reaches what the
row scores if that goes on.
It is no score: it takes for granted that the problems left are as hard for this model as for the others.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.intervals import Bounds, Floats, Ints, mean_bounds

# Ease is read to a tenth of a logit, so that a fit is over a few hundred values and not over all problems.
_STEP, _FURTHEST = 0.1, 8.0
_PLACES = round(2 * _FURTHEST / _STEP) + 1
_SLOPE, _PRECISION = 1.0, 4.0
_ROUNDS, _STILL = 40, 1e-10
_CELLS = 1 << 14


class Estimated(NamedTuple):
    """One entry per row: the estimate and its interval as pass rates, nan where there is none."""

    mean: Floats
    bounds: Bounds


class Ease(NamedTuple):
    """Of each problem: the sum of pass rates over all runs graded on it, how many these are, and the sum of their
    means."""

    rates: Floats
    graded: Floats
    expected: Floats


class Results(NamedTuple):
    """Pass rates (0 where there are none) and which of them count, of shape (problems, rows)."""

    rate: Floats
    counts: NDArray[np.bool_]

    def by_row(self, problems: NDArray[np.intp], rows: slice) -> "Results":
        """Some rows of it, with the problems in this order, of shape (rows, problems)."""
        rate, counts = self.rate[problems, rows].T, self.counts[problems, rows].T
        return Results(np.ascontiguousarray(rate), np.ascontiguousarray(counts))


def whole_window(own: Results, results: Sequence[Results], ease: Ease, means: Floats, clusters: Ints) -> Estimated:
    """Estimates for rows: `results` of their answers, of which each but the first continues the one before it, and the
    last is the one that is estimated.

    `ease` holds what all runs did in the place of the first answer, these rows included: what is their `own` is taken
    out of it, with their `means`. `clusters` names the contest of each problem. A row has no estimate where a fit that
    it needs has no result.
    """
    problems, rows = own.rate.shape
    if not problems or not rows:
        return Estimated(np.full(rows, np.nan), Bounds(np.full(rows, np.nan), np.full(rows, np.nan)))
    order = np.argsort(clusters, kind="stable")
    ease, clusters = Ease(*(values[order] for values in ease)), clusters[order]
    starts = np.flatnonzero(np.diff(clusters, prepend=clusters[0] - 1))
    # Some rows at a time: what is computed of a cell stays in the processor's cache.
    size = max(1, _CELLS // problems)
    parts = []
    for at in range(0, rows, size):
        here = slice(at, at + size)
        own_part, *chain = (each.by_row(order, here) for each in (own, *results))
        parts.append(_some_rows(_ease_of_others(own_part, ease, means[here]), chain, starts))
    mean, variance, plain, observed, contests, alike, least, most, lacks = np.concatenate(parts, axis=1)
    bounds = mean_bounds(mean, variance, plain, observed.astype(np.int64), contests, alike)
    ends = mean, np.minimum(bounds.lo, least), np.maximum(bounds.hi, most)
    mean, low, high = (np.where(lacks > 0, np.nan, values) for values in ends)
    return Estimated(mean, Bounds(low, high))


class _Fit(NamedTuple):
    """By row and place of ease, the fitted rate; by row, the entries of the hessian and its determinant."""

    chance: Floats
    hessian: tuple[Floats, Floats, Floats]
    scale: Floats

    def solve(self, first: Floats, second: Floats) -> tuple[Floats, Floats]:
        """H^-1 times a vector, by row."""
        level, mixed, steep = self.hessian
        return (steep * first - mixed * second) / self.scale, (level * second - mixed * first) / self.scale


class _Stage(NamedTuple):
    """One answer of a chain, of shape (rows, problems): on how much of a problem it is fitted, how much of that
    passed, and the fitted rates; by row, whether all that it is fitted on came out alike, and as what."""

    tries: Floats
    solved: Floats
    chance: Floats
    fit: _Fit
    alike: NDArray[np.bool_]
    share: Floats


def _some_rows(place: Ints, chain: Sequence[Results], starts: Ints) -> Floats:
    """By row: mean, variance with and without clusters, how many problems count, their contests as they are and as many
    of one size, the least and the most that the ends of an interval reach, and 1 if a fit that it needs has no result.

    The contests' first problems are at `starts`.
    """
    rows, problems = place.shape
    x = place * _STEP - _FURTHEST
    cell = place + _PLACES * np.arange(rows)[:, None]
    stages = [_stage(cell, *each) for each in _fitted_on(chain)]
    failing, predicted = _failing(chain, [stage.chance for stage in stages])
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
            ends[:] = 1.0 - _failing(chain, chances)[0].mean(axis=1)
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


def _fitted_on(chain: Sequence[Results]) -> list[tuple[Floats, Floats]]:
    """Of each answer: on how much of a problem it is fitted, which is what the answer before failed, and how much of
    that passes now."""
    found = [(chain[0].counts.astype(np.float64), chain[0].rate * chain[0].counts)]
    for before, after in pairwise(chain):
        tries = (1.0 - before.rate) * (before.counts & after.counts)
        found.append((tries, np.clip(after.rate - before.rate, 0.0, 1.0) * (tries > 0)))
    return found


def _failing(chain: Sequence[Results], chances: Sequence[Floats]) -> tuple[Floats, list[NDArray[np.bool_]]]:
    """The chance that each problem is failed in the end, and of each answer where its fit is used: where neither it nor
    a later one has a result."""
    open_, failing, predicted = np.ones(chain[0].counts.shape, dtype=bool), np.ones(chain[0].counts.shape), []
    for answer, chance in zip(reversed(chain), reversed(chances), strict=True):
        failing *= np.where(open_, 1.0 - np.where(answer.counts, answer.rate, chance), 1.0)
        predicted.append(open_ & ~answer.counts)
        open_ = predicted[-1]
    return failing, predicted[::-1]


def _stage(cell: Ints, tries: Floats, solved: Floats) -> _Stage:
    rows = len(cell)
    tried, passed = (
        np.bincount(cell.ravel(), values.ravel(), minlength=rows * _PLACES).reshape(rows, _PLACES).astype(np.float64)
        for values in (tries, solved)
    )
    total = tries.sum(axis=1)
    share = np.divide(solved.sum(axis=1), total, out=np.full(rows, np.nan), where=total > 0)
    alike = (share <= 0) | (share >= 1)
    fit = _fit(tried, passed, alike)
    return _Stage(tries, solved, fit.chance.take(cell), fit, alike, share)


def _ease_of_others(own: Results, ease: Ease, means: Floats) -> Ints:
    """The place of ease of each problem for each row, of shape (rows, problems)."""
    graded = ease.graded - own.counts
    solved = np.clip(ease.rates - own.rate * own.counts, 0.0, graded)
    expected = np.clip(ease.expected - means[:, None] * own.counts, 0.0, graded)
    logit = np.log((solved + 0.5) / (graded - solved + 0.5)) - np.log((expected + 0.5) / (graded - expected + 0.5))
    places: Ints = np.rint((np.clip(logit, -_FURTHEST, _FURTHEST) + _FURTHEST) / _STEP).astype(np.int64)
    return places


def _fit(tries: Floats, solved: Floats, smoothed: NDArray[np.bool_]) -> _Fit:
    """The fit to sums by row and place of ease. Rows that are `smoothed` are fitted with half a pass and half a failure
    more."""
    rows = len(tries)
    x = np.arange(_PLACES) * _STEP - _FURTHEST
    more = np.flatnonzero(smoothed)
    middle = np.rint((tries[more] * np.arange(_PLACES)).sum(axis=1) / tries[more].sum(axis=1)).astype(np.int64)
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
        fit = _Fit(chance, hessian, scale)
        # Far from the fit a step may lead further away: steps are held.
        moves = [np.clip(move, -most, most) for move, most in zip(fit.solve(*score), (2.0, 1.0), strict=True)]
        intercept, slope = np.clip(intercept + moves[0], -30.0, 30.0), slope + moves[1]
        if max(float(np.abs(move).max()) for move in moves) < _STILL:
            break
    return fit
