"""What a board can tell apart: one procedure, from which rank ranges, tiers and every sentence about them follow.

Every two ranked rows are compared by their paired difference over the selected problems, where what a row lacks counts
as failed, clustered by contest (`boards.groups`): t with G-1 degrees of freedom, or `metrics.agreed_p` where all
contests agree to the last digit, G being how many contests of one size say as much (`effective`). Holm's step-down
adjustment over all pairs says which are told apart; the chance that any two equal models of a board are is below 5 %.
The better one of two that are told apart is *surely better*.

- A row's rank is somewhere from 1 + the number of rows surely better to the number of all less those surely worse.
- A new tier starts below a row exactly where every row from the top down to it is surely better than every row further
  down. Rows of two tiers can always be told apart; the first and the last of one long tier may be, too.
- The resolution is the median over neighbouring rows of the gap that they would need.
- A row may be the first one if none is surely better. Of these alone is it asked how often each would be, were the
  contests drawn again: whoever is surely first is so always, and whoever surely is not, never.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.groups import GroupSums
from app.domain.metrics.clusters import effective
from app.domain.metrics.distributions import t_critical
from app.domain.metrics.intervals import Floats, Ints, agreed_p

Places = NDArray[np.intp]
# Means of single precision are read to 1e-8: neighbours within 1e-6 tie, as sums made in another order do.
_TIE = 1e-6
# A variance below this part of the squared gap over the number of problems is rounding.
_ROUNDING, _NOTHING = 1e-9, 1e-24
# Below this part of the largest variance that of a difference is summed from the differences themselves.
_CANCELLED = 1e-6
_STRIP, _CHUNK = 64, 1 << 20


class Apart(NamedTuple):
    """What is told apart, by row, best first: its best and worst rank, its tier from 1; the resolution in the unit of
    the scores, and what a pair must exceed, both None with fewer than two rows or groups."""

    best: Ints
    worst: Ints
    tiers: Ints
    resolution: float | None
    threshold: "Threshold | None"


class Threshold(NamedTuple):
    """Where Holm's procedure stopped: a t beyond `critical`, or a p below `level` where all contests agree."""

    critical: float
    level: float


class _Strip(NamedTuple):
    """Some rows beside those from the first of them up to one below which all are surely worse: t^2 of each pair, 0
    where the other is no later row."""

    rows: slice
    others: slice
    squares: Floats


def tell_apart(groups: GroupSums, scores: Floats, *, confidence: float = 0.95) -> Apart:
    """Compare all pairs of rows that are given best first, with scores that are no different where rows tie."""
    number, rows = effective(groups.problems), groups.sums.shape[1]
    if number < 2 or rows < 2:
        ones = np.ones(rows, dtype=np.int64)
        return Apart(ones, np.full(rows, rows), ones, None, None)
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
    needed = _needed(groups, deviations[:, :-1] - deviations[:, 1:], scores[:-1] - scores[1:], threshold)
    return Apart(best, worst, np.concatenate(([1], 1 + np.cumsum(clean))), float(np.median(needed)), threshold)


def told_from(groups: GroupSums, scores: Floats, row: int, threshold: Threshold) -> NDArray[np.bool_]:
    """Which rows `tell_apart` told from one of them."""
    deviations, gap = _deviations(groups), np.abs(scores - scores[row])
    told: NDArray[np.bool_] = gap > _needed(groups, deviations - deviations[:, [row]], gap, threshold)
    return told


def _needed(groups: GroupSums, differences: Floats, gap: Floats, threshold: Threshold) -> Floats:
    """The gap that each pair would have to exceed."""
    variance = np.einsum("gr,gr->r", differences, differences)
    agreed = min((2 / threshold.level) ** (1 / effective(groups.problems)) - 1, 1.0)
    needed: Floats = np.where(_is_rounding(variance, gap, groups), agreed, threshold.critical * np.sqrt(variance))
    return needed


def _deviations(groups: GroupSums) -> Floats:
    """What each group adds to each row's mean beyond its share; their squares add up to the clustered variance, and
    those of the differences of two rows to that of their paired difference."""
    sums, problems = groups
    number, total = effective(problems), problems.sum()
    deviations = problems[:, None] * (sums.sum(axis=0) / -total)
    deviations += sums
    deviations *= np.sqrt(number / (number - 1)) / total
    values: Floats = deviations
    return values


def _is_rounding(variance: Floats, gap: Floats, groups: GroupSums) -> NDArray[np.bool_]:
    flags: NDArray[np.bool_] = variance <= np.maximum(_ROUNDING * gap**2 / groups.problems.sum(), _NOTHING)
    return flags


def _strips(groups: GroupSums, deviations: Floats, scores: Floats, strictest: float) -> list[_Strip]:
    number, rows = effective(groups.problems), deviations.shape[1]
    variances = np.einsum("gr,gr->r", deviations, deviations)
    # The spread of a difference is at most the sum of the spreads: rows that far apart need no look.
    reach = np.maximum(
        t_critical(1 - strictest, number - 1) * np.sqrt(variances), ((2 / strictest) ** (1 / number) - 1) / 2
    )
    highest = np.maximum.accumulate((scores + reach)[::-1])[::-1]
    ends = np.searchsorted(-highest, reach - scores, side="right")
    strips = []
    for first in range(0, rows, _STRIP):
        here, others = slice(first, min(first + _STRIP, rows)), slice(first, int(ends[first : first + _STRIP].max()))
        gap = scores[here, None] - scores[others]
        variance = deviations[:, here].T @ deviations[:, others]
        variance *= -2
        variance += variances[here, None]
        variance += variances[others]
        # What may be rounding, or is left of two large numbers, is looked at anew, whatever is large here.
        least = max(_CANCELLED * variances[others].max(), _ROUNDING / groups.problems.sum(), _NOTHING)
        one, other = np.nonzero(variance <= least)
        keep = gap[one, other] > 0
        agreed = _mend(variance, gap, (one[keep], other[keep]), first, groups, deviations)
        with np.errstate(divide="ignore", invalid="ignore"):
            squares = np.divide(gap * gap, variance, out=variance)
        squares[agreed] = _as_t(agreed_p(gap[agreed], number), number - 1, strictest) ** 2
        squares[:, : len(gap)][np.tri(len(gap), dtype=bool)] = 0.0
        strips.append(_Strip(here, others, squares))
    return strips


def _mend(
    variance: Floats, gap: Floats, at: tuple[Places, Places], first: int, groups: GroupSums, deviations: Floats
) -> tuple[Places, Places]:
    """Sum anew what is left of two large numbers; which of these pairs agree in all contests."""
    one, other = at
    size = max(1, _CHUNK // len(deviations))
    for start in range(0, one.size, size):
        few = one[start : start + size], other[start : start + size]
        differences = deviations[:, first + few[0]] - deviations[:, first + few[1]]
        variance[few] = np.einsum("gp,gp->p", differences, differences)
    agreed = _is_rounding(variance[at], gap[at], groups)
    return one[agreed], other[agreed]


def _as_t(p: Floats, df: float, strictest: float) -> Floats:
    """The t of the same two-sided p; infinite for what every step of Holm's rejects."""
    distinct, places = np.unique(p, return_inverse=True)
    of = [np.inf if each < strictest else 0.0 if each >= 1 else t_critical(1 - each, df) for each in distinct.tolist()]
    values: Floats = np.array(of)[places]
    return values


def _holm(strips: list[_Strip], df: float, pairs: int, alpha: float) -> Threshold:
    """Where the step-down procedure stops.

    With R pairs told apart at some step the next must be below alpha over the others' number. To count anew what is
    below that, until nothing is added, comes to the same without sorting.
    """
    inside: int = sum(_pairs(strip) for strip in strips)
    least, most = t_critical(1 - alpha, df) ** 2, t_critical(1 - alpha / pairs, df) ** 2
    near = np.concatenate([strip.squares[strip.squares > least] for strip in strips])
    surely = pairs - inside + int(np.count_nonzero(near > most))
    near, told = near[near <= most], surely
    while True:
        level = alpha / max(pairs - told, 1)
        critical = t_critical(1 - level, df)
        more = surely + int(np.count_nonzero(near > critical**2))
        if more == told:
            return Threshold(critical, level)
        told = more


def _pairs(strip: _Strip) -> int:
    """How many pairs of a row and a later one a strip has."""
    rows = len(strip.squares)
    others: int = strip.others.stop - strip.others.start
    return rows * others - rows * (rows + 1) // 2


def chances_of_first(groups: GroupSums, best: Ints, *, replicates: int, seed: int) -> Floats:
    """How often each row would be first among those that may be, were the groups of contests drawn again.

    Each replicate weighs every group by a Poisson(1) draw, the same for all rows, which keeps their pairing; the mean
    of a row is then (W S) / (W N). Rows that tie for the first place share it, and one more replicate is shared by all
    that may be first: chances add up to 1, and none is certain where another row may be first. Deterministic in `seed`.
    """
    weights = np.random.default_rng(seed).poisson(1.0, size=(replicates, len(groups.sums))).astype(np.float32)
    weights[weights.sum(axis=1) == 0] = 1.0
    chances, may = np.zeros(best.size), np.flatnonzero(best == 1)
    if may.size:
        means = weights @ groups.sums[:, may].astype(np.float32)
        means /= (weights @ groups.problems.astype(np.float32))[:, None]
        first = means >= means.max(axis=1, keepdims=True) - _TIE
        wins = (first / np.count_nonzero(first, axis=1, keepdims=True)).sum(axis=0)
        chances[may] = (wins + 1 / may.size) / (replicates + 1)
    return chances
