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
_CELLS = 1 << 14


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
    if not problems or not rows:
        return Estimated(np.full(rows, np.nan), Bounds(np.full(rows, np.nan), np.full(rows, np.nan)))
    if np.any(clusters[1:] < clusters[:-1]):
        order = np.argsort(clusters, kind="stable")
        rate, graded, counts, clusters = rate[order], graded[order], counts[order], clusters[order]
        ease = Ease(ease.rates[order], ease.graded[order])
    # Some rows at a time: what is computed of a cell stays in the processor's cache.
    size = max(1, _CELLS // problems)
    few = [slice(at, at + size) for at in range(0, rows, size)]
    parts = [_part(rate[:, here].T, graded[:, here].T, counts[:, here].T, ease) for here in few]
    total, tries, solved = (np.concatenate(sums) for sums in zip(*(part.sums() for part in parts), strict=True))
    observed = tries.sum(axis=1).astype(np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = solved.sum(axis=1) / observed
        certain = (share <= 0) | (share >= 1)
        smoothed = certain & (observed < problems)
        certain &= ~smoothed
        fit = _fit(total, tries, solved, smoothed)
        mean = np.where(certain, share, (fit.chance * total).sum(axis=1) / problems)
        starts = np.flatnonzero(np.diff(clusters, prepend=clusters[0] - 1))
        spreads = [part.spread(fit, mean, here, starts) for here, part in zip(few, parts, strict=True)]
        variance, plain, contests, alike = np.concatenate(spreads, axis=1)
    variance, plain = (np.where(smoothed, fit.variance, values) for values in (variance, plain))
    bounds = mean_bounds(
        mean, np.where(certain, 0.0, variance), np.where(certain, 0.0, plain), observed, contests, alike
    )
    nothing = observed == 0
    return Estimated(np.where(nothing, np.nan, mean), Bounds(*(np.where(nothing, np.nan, bound) for bound in bounds)))


class _Fit(NamedTuple):
    """By row and place of ease, the fitted rate and how far a residual moves the mean of the fitted rates over the
    window; by row, the variance of that mean by the fit alone."""

    chance: Floats
    influence: Floats
    variance: Floats


class _Part(NamedTuple):
    """Some rows, all of shape (rows, problems): the places of ease, in a table with a line for each row, pass rates
    where they count, and which of them do."""

    cell: Ints
    rate: Floats
    counts: NDArray[np.bool_]

    def sums(self) -> tuple[Floats, Floats, Floats]:
        """By row and place: the problems, those that count, and their pass rates."""
        rows, _ = self.cell.shape
        weights = (None, self.counts.ravel(), self.rate.ravel())
        total, tries, solved = (
            np.bincount(self.cell.ravel(), weight, minlength=rows * _PLACES).reshape(rows, _PLACES).astype(np.float64)
            for weight in weights
        )
        return total, tries, solved

    def spread(self, fit: _Fit, mean: Floats, rows: slice, starts: Ints) -> Floats:
        """Of each of these rows: the clustered variance of its estimate, the plain one, and how many contests count, as
        they are and as many of one size.

        The contests' first problems are at `starts`.
        """
        chance, influence, problems = fit.chance[rows], fit.influence[rows], self.cell.shape[1]
        moved = ((chance - mean[rows, None]) / problems).take(self.cell)
        moved += influence.take(self.cell) * self.rate
        moved -= (influence * chance).take(self.cell) * self.counts
        sums, count = np.add.reduceat(moved, starts, axis=1), starts.size
        variance = np.square(sums).sum(axis=1) * (count / (count - 1) if count > 1 else np.nan)
        plain = np.square(moved).sum(axis=1) * problems / max(problems - 1, 1)
        sizes = np.add.reduceat(self.counts, starts, axis=1, dtype=np.float64)
        alike = sizes.sum(axis=1) ** 2 / np.maximum(np.square(sizes).sum(axis=1), 1.0)
        return np.stack([variance, plain, np.count_nonzero(sizes, axis=1), alike])


def _part(rate: Floats, graded: NDArray[np.bool_], counts: NDArray[np.bool_], ease: Ease) -> _Part:
    rate, graded, counts = np.ascontiguousarray(rate), np.ascontiguousarray(graded), np.ascontiguousarray(counts)
    solved, failed = ease.rates - rate * graded, ease.graded - graded
    np.clip(solved, 0.0, failed, out=solved)
    failed -= solved
    solved += 0.5
    failed += 0.5
    solved /= failed
    logit = np.clip(np.log(solved, out=solved), -_FURTHEST, _FURTHEST, out=solved)
    logit += _FURTHEST
    logit /= _STEP
    cell = np.rint(logit, out=logit).astype(np.int64)
    cell += _PLACES * np.arange(len(cell))[:, None]
    return _Part(cell, rate * counts, counts)


def _fit(total: Floats, tries: Floats, solved: Floats, smoothed: NDArray[np.bool_]) -> _Fit:
    """The fit to sums by row and place of ease. Rows that are `smoothed` are fitted with half a pass and half a failure
    more."""
    rows, problems = len(total), total.sum(axis=1)
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
    own = first * over_all[0] + second * over_all[1]
    return _Fit(chance, first[:, None] + second[:, None] * x, own)
