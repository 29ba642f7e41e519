"""Separation of rows: one procedure, from which rank ranges, tiers and every statement about them follow.

Every two ranked rows are compared by their paired difference over the selected problems, with missing results counted
as failed, clustered by contest (`boards.groups`): t with G-1 degrees of freedom, or `metrics.agreed_p` if all contests
agree to the last digit, G being the effective number of contests of one size (`effective_clusters`). Holm's step-down
adjustment over all pairs says which are told apart; the chance that any two equal models of a board are is below 5 %.
The better one of two that are told apart is *surely better*.

- A row's rank lies between 1 + the number of rows surely better and the number of all rows less those surely worse.
- A new tier starts below a row exactly if every row from the top down to it is surely better than every row further
  down. Rows of two tiers can always be told apart; the first and the last of one long tier may be, too.
- The resolution is the median over neighbouring rows of the gap that they would need.
- A row may be the first one if none is surely better. Only for these rows is the chance of being first estimated by
  resampling contests: a row that is surely first always is, and one that surely is not never is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.groups import GroupSums
from app.domain.metrics.clusters import effective_clusters
from app.domain.metrics.distributions import t_critical
from app.domain.metrics.intervals import Floats, Ints, agreed_p

Places = NDArray[np.intp]
# Single precision keeps means to 1e-8: neighbours within 1e-6 tie, as sums in another order do.
_TIE_WIDTH = 1e-6
# A variance below this part of the squared gap over the number of problems is rounding.
_ROUNDING_SHARE, _NO_VARIANCE = 1e-9, 1e-24
# Below this part of the largest variance, that of a difference is recomputed from the differences themselves.
_CANCELLATION_SHARE = 1e-6
_STRIP_ROWS, _CHUNK_CELLS = 64, 1 << 20


class Separation(NamedTuple):
    """Separation of rows, best first: best and worst rank and tier (from 1) of each.

    `resolution` is in the unit of the scores, `threshold` the limit that a pair must exceed; both are None with fewer
    than two rows or groups.
    """

    best: Ints
    worst: Ints
    tiers: Ints
    resolution: float | None
    threshold: "HolmThreshold | None"


class HolmThreshold(NamedTuple):
    """The step at which Holm's procedure stopped: t beyond `critical`, or p below `level` if all contests agree."""

    critical: float
    level: float


class _Strip(NamedTuple):
    """Some rows beside those from the first of them up to one below which all rows are surely worse.

    `squares` holds t^2 of each pair, 0 unless the other is a later row.
    """

    rows: slice
    others: slice
    squares: Floats


def tell_apart(groups: GroupSums, scores: Floats, *, confidence: float = 0.95) -> Separation:
    """Compare all pairs of rows, given best first; tied rows must have exactly equal scores."""
    number, rows = effective_clusters(groups.problems), groups.sums.shape[1]
    if number < 2 or rows < 2:
        ones = np.ones(rows, dtype=np.int64)
        return Separation(ones, np.full(rows, rows), ones, None, None)
    alpha, pairs = 1 - confidence, rows * (rows - 1) // 2
    deviations = _deviations(groups)
    strips = list(_strips(groups, deviations, scores, alpha / pairs))
    threshold = _holm(strips, number - 1, pairs, alpha)
    best, worst, last = np.ones(rows, dtype=np.int64), np.full(rows, rows), np.empty(rows, dtype=np.int64)
    for strip in strips:
        apart = strip.squares > threshold.critical**2
        best[strip.others] += np.count_nonzero(apart, axis=0)
        best[strip.others.stop :] += apart.shape[0]
        worst[strip.rows] -= np.count_nonzero(apart, axis=1) + rows - strip.others.stop
        last[strip.rows] = strip.others.stop - 1 - np.argmin(apart[:, ::-1], axis=1)
    clean = np.maximum.accumulate(last)[:-1] <= np.arange(rows - 1)
    needed = _needed_gap(groups, deviations[:, :-1] - deviations[:, 1:], scores[:-1] - scores[1:], threshold)
    return Separation(best, worst, np.concatenate(([1], 1 + np.cumsum(clean))), float(np.median(needed)), threshold)


def rows_apart_from(groups: GroupSums, scores: Floats, row: int, threshold: HolmThreshold) -> NDArray[np.bool_]:
    """Return which rows `tell_apart` separated from the row `row`."""
    deviations, gap = _deviations(groups), np.abs(scores - scores[row])
    separated: NDArray[np.bool_] = gap > _needed_gap(groups, deviations - deviations[:, [row]], gap, threshold)
    return separated


def _needed_gap(groups: GroupSums, differences: Floats, gap: Floats, threshold: HolmThreshold) -> Floats:
    """Return the gap that each pair would have to exceed."""
    variance = np.einsum("gr,gr->r", differences, differences)
    agreed = min((2 / threshold.level) ** (1 / effective_clusters(groups.problems)) - 1, 1.0)
    needed: Floats = np.where(_is_rounding(variance, gap, groups), agreed, threshold.critical * np.sqrt(variance))
    return needed


def _deviations(groups: GroupSums) -> Floats:
    """Return the deviation of each group from its share of each row's mean.

    Squares add up to the clustered variance, and squares of the differences of two rows to that of their paired
    difference.
    """
    sums, problems = groups
    number, total = effective_clusters(problems), problems.sum()
    deviations = problems[:, None] * (sums.sum(axis=0) / -total)
    deviations += sums
    deviations *= np.sqrt(number / (number - 1)) / total
    values: Floats = deviations
    return values


def _is_rounding(variance: Floats, gap: Floats, groups: GroupSums) -> NDArray[np.bool_]:
    flags: NDArray[np.bool_] = variance <= np.maximum(_ROUNDING_SHARE * gap**2 / groups.problems.sum(), _NO_VARIANCE)
    return flags


def _strips(groups: GroupSums, deviations: Floats, scores: Floats, strictest: float) -> list[_Strip]:
    number, rows = effective_clusters(groups.problems), deviations.shape[1]
    variances = np.einsum("gr,gr->r", deviations, deviations)
    # The spread of a difference is at most the sum of the spreads: rows further apart are surely different.
    reach = np.maximum(
        t_critical(1 - strictest, number - 1) * np.sqrt(variances), ((2 / strictest) ** (1 / number) - 1) / 2
    )
    highest = np.maximum.accumulate((scores + reach)[::-1])[::-1]
    ends = np.searchsorted(-highest, reach - scores, side="right")
    strips = []
    for first in range(0, rows, _STRIP_ROWS):
        here, others = (
            slice(first, min(first + _STRIP_ROWS, rows)),
            slice(first, int(ends[first : first + _STRIP_ROWS].max())),
        )
        gap = scores[here, None] - scores[others]
        variance = deviations[:, here].T @ deviations[:, others]
        variance *= -2
        variance += variances[here, None]
        variance += variances[others]
        # Differences that may be rounding, or are lost to cancellation, are recomputed.
        least = max(
            _CANCELLATION_SHARE * variances[others].max(), _ROUNDING_SHARE / groups.problems.sum(), _NO_VARIANCE
        )
        one, other = np.nonzero(variance <= least)
        keep = gap[one, other] > 0
        agreed = _resum_cancelled(variance, gap, (one[keep], other[keep]), first, groups, deviations)
        with np.errstate(divide="ignore", invalid="ignore"):
            squares = np.divide(gap * gap, variance, out=variance)
        squares[agreed] = _equivalent_t(agreed_p(gap[agreed], number), number - 1, strictest) ** 2
        squares[:, : len(gap)][np.tri(len(gap), dtype=bool)] = 0.0
        strips.append(_Strip(here, others, squares))
    return strips


def _resum_cancelled(
    variance: Floats, gap: Floats, at: tuple[Places, Places], first: int, groups: GroupSums, deviations: Floats
) -> tuple[Places, Places]:
    """Recompute variances lost to cancellation. Return the pairs that agree in all contests."""
    one, other = at
    size = max(1, _CHUNK_CELLS // len(deviations))
    for start in range(0, one.size, size):
        few = one[start : start + size], other[start : start + size]
        differences = deviations[:, first + few[0]] - deviations[:, first + few[1]]
        variance[few] = np.einsum("gp,gp->p", differences, differences)
    agreed = _is_rounding(variance[at], gap[at], groups)
    return one[agreed], other[agreed]


def _equivalent_t(p: Floats, df: float, strictest: float) -> Floats:
    """Return the t with the same two-sided p; infinite if every step of Holm's procedure rejects it."""
    distinct, places = np.unique(p, return_inverse=True)
    points = [np.inf if q < strictest else 0.0 if q >= 1 else t_critical(1 - q, df) for q in distinct.tolist()]
    values: Floats = np.array(points)[places]
    return values


def _holm(strips: list[_Strip], df: float, pairs: int, alpha: float) -> HolmThreshold:
    """Return the threshold at which the step-down procedure stops.

    With R pairs told apart at some step, the next must be below alpha over the number of the others. Recounting the
    pairs below that level until none is added gives the same result without sorting.
    """
    inside: int = sum(_count_pairs(strip) for strip in strips)
    least, most = t_critical(1 - alpha, df) ** 2, t_critical(1 - alpha / pairs, df) ** 2
    near = np.concatenate([strip.squares[strip.squares > least] for strip in strips])
    surely = pairs - inside + int(np.count_nonzero(near > most))
    near, told = near[near <= most], surely
    while True:
        level = alpha / max(pairs - told, 1)
        critical = t_critical(1 - level, df)
        more = surely + int(np.count_nonzero(near > critical**2))
        if more == told:
            return HolmThreshold(critical, level)
        told = more


def _count_pairs(strip: _Strip) -> int:
    """Return how many pairs of a row and a later one a strip has."""
    rows = len(strip.squares)
    others: int = strip.others.stop - strip.others.start
    return rows * others - rows * (rows + 1) // 2


def chances_of_first(groups: GroupSums, best: Ints, *, replicates: int, seed: int) -> Floats:
    """Return how often each row that may be first would be, if the groups of contests were resampled.

    Each replicate weighs every group by a Poisson(1) draw, the same for all rows, which keeps their pairing; the mean
    of a row is then (W S) / (W N). Rows tied for first place share it, and one extra replicate is shared by all that
    may be first: chances add up to 1, and none is certain if another row may be first. Deterministic in `seed`.
    """
    weights = np.random.default_rng(seed).poisson(1.0, size=(replicates, len(groups.sums))).astype(np.float32)
    weights[weights.sum(axis=1) == 0] = 1.0
    chances, may = np.zeros(best.size), np.flatnonzero(best == 1)
    if may.size:
        means = weights @ groups.sums[:, may].astype(np.float32)
        means /= (weights @ groups.problems.astype(np.float32))[:, None]
        first = means >= means.max(axis=1, keepdims=True) - _TIE_WIDTH
        wins = (first / np.count_nonzero(first, axis=1, keepdims=True)).sum(axis=0)
        chances[may] = (wins + 1 / may.size) / (replicates + 1)
    return chances
