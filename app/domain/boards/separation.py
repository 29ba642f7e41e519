"""What a board can tell apart: tie tiers, its resolution, and ranks over resampled contests.

All of it works on *groups* of neighbouring contests: one contest each up to `MAX_GROUPS`, then several, and in long
filtered windows halves of the cube's shards (`boards.totals`), as many as 32 of one size or more. Contests are
independent, so sums over groups of them are too: a standard error over 64 groups is within 9 % of one over thousands
of contests, over 32 within 12 %, which their t quantiles allow for, at a cost that does not grow with the window.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.distributions import t_critical, two_sided
from app.domain.metrics.intervals import Floats, Ints, agreed_p, holm

MAX_GROUPS = 64
# Means of single precision are read to 1e-8, and neighbours within 1e-6 tie: sums made in another order still do.
_STEP, _TIE = 1e-8, 100
# A variance of pass rates below this is rounding.
_ROUNDING = 1e-18
# Critical values are exact to far less than this part of them.
_MARGIN = 1e-3


class GroupSums(NamedTuple):
    """Sums of pass rates, and numbers of graded problems, each of shape (groups, rows)."""

    sums: Floats
    counts: Floats


class Ties(NamedTuple):
    """Tier of each row, from 1, and the gap that neighbouring rows need, None with fewer than two rows or groups."""

    tiers: Ints
    resolution: float | None


class Resampled(NamedTuple):
    """Places over bootstrap replicates, one per row: 2.5 % and 97.5 % quantile, and the share of first places."""

    lo: Ints
    hi: Ints
    first: Floats


def groups_of(days: NDArray[np.int64]) -> NDArray[np.int64]:
    """The group of each contest, from 0 without gaps, given the contests' days in ascending order.

    At most `MAX_GROUPS` contests are a group each; more are cut between days into runs of about equal length.
    """
    if days.size <= MAX_GROUPS:
        return np.arange(days.size)
    first_of_day = np.searchsorted(days, days, side="left")
    _, dense = np.unique(first_of_day * MAX_GROUPS // days.size, return_inverse=True)
    return dense.astype(np.int64)


def ties(groups: GroupSums, *, confidence: float = 0.95) -> Ties:
    """Tie tiers of rows that are given best first, and the board's resolution.

    Two rows are *separable* when the t interval of their paired difference, clustered by group, excludes 0. A new
    tier starts below a row exactly where every row from the top down to it is separable from every row further
    down: tiers are the connected groups of "not separable". So rows of different tiers can always be told apart;
    the first and the last of one long tier may be, too, but nothing between them is a clean break.
    The paired variance is that of the linearised difference of means, K/(K-1) sum_k (u_ak - u_bk)^2 with
    u_k = (S_k - mean N_k) / N, which for rows graded on the same problems is the clustered paired variance itself.
    Where a pair has no spread but rounding there is no t, and the interval is that of `metrics.paired_difference`: it
    excludes 0 where the gap is more than u / (1 - u).
    The resolution is the median over neighbouring rows of the half width of that interval, in the unit of the sums:
    two neighbours closer than that cannot usually be told apart.
    """
    number, rows = groups.sums.shape
    if number < 2 or rows < 2:
        return Ties(np.ones(rows, dtype=np.int64), None)
    total = groups.counts.sum(axis=0)
    means = groups.sums.sum(axis=0) / total
    scale = t_critical(confidence, number - 1) * np.sqrt(number / (number - 1))
    deviations = groups.counts * -means
    deviations += groups.sums
    deviations *= scale / total
    gaps = deviations[:, :-1] - deviations[:, 1:]
    none = _half_width_without_spread(number, confidence)
    half_widths = _half_widths(np.einsum("kr,kr->r", gaps, gaps), none)
    cut = means[:-1] - means[1:] > half_widths
    cut[cut] = _clean_breaks(np.flatnonzero(cut), means, deviations, none)
    return Ties(np.concatenate(([1], 1 + np.cumsum(cut))), float(np.median(half_widths)))


def _half_width_without_spread(groups: int, confidence: float) -> float:
    return min(float(((1 - confidence) / 2) ** (-1 / groups)) - 1, 1.0)


def _half_widths(squares: Floats, none: float) -> Floats:
    widths: Floats = np.where(squares > _ROUNDING, np.sqrt(np.maximum(squares, 0.0)), none)
    return widths


def _clean_breaks(breaks: NDArray[np.intp], means: Floats, deviations: Floats, none: float) -> list[bool]:
    """Below which of the rows `breaks` every row so far is separable from every later one."""
    # |a - b| <= |a| + |b|: rows whose own half widths do not reach each other are separable without looking.
    squares = np.einsum("kr,kr->r", deviations, deviations)
    own = np.maximum(np.sqrt(squares), none / 2)
    low, high = means - own, means + own
    lowest = np.minimum.accumulate(low)
    highest = np.maximum.accumulate(high[::-1])[::-1]
    first = np.searchsorted(-lowest, -highest[breaks + 1], side="left")
    last = np.searchsorted(-highest, -lowest[breaks], side="right")
    clean: list[bool] = []
    for top, row, end in zip(first.tolist(), (breaks + 1).tolist(), last.tolist(), strict=True):
        above, below = slice(top, row), slice(row, end)
        variance = squares[above, None] + squares[below] - 2 * (deviations[:, above].T @ deviations[:, below])
        gap = means[above, None] - means[below]
        clean.append(bool((gap > _half_widths(variance, none)).all()))
    return clean


def first_separated(groups: GroupSums, *, confidence: float = 0.95) -> int | None:
    """The place, from 0, of the best row that is separable from the first one, given rows best first.

    By paired t tests of the first row against every other, clustered by group as in `ties`, with Holm's adjustment
    over all pairs of rows, since the results chose which row is first; None where no row is.
    """
    number, rows = groups.sums.shape
    if number < 2 or rows < 2:
        return None
    total = groups.counts.sum(axis=0)
    means = groups.sums.sum(axis=0) / total
    deviations = (groups.sums - means * groups.counts) / total
    gaps = deviations[:, [0]] - deviations[:, 1:]
    variance = np.square(gaps).sum(axis=0) * number / (number - 1)
    variance[variance <= _ROUNDING] = 0.0
    ahead = means[0] - means[1:]
    p, pairs, alpha = agreed_p(ahead, number), rows * (rows - 1) // 2, 1 - confidence
    varied = (variance > 0) & (ahead > 0)
    p[varied] = _near(ahead[varied] / np.sqrt(variance[varied]), number - 1, alpha / pairs, alpha / (pairs - rows + 2))
    places = np.flatnonzero(holm(p, pairs) < alpha)
    return int(places[0]) + 1 if places.size else None


def _near(t: Floats, df: int, least: float, most: float) -> Floats:
    """Two-sided p values where they are near `least` to `most`, 0 below and 1 above: p falls as t grows, and Holm's
    thresholds lie in between, so the others decide without theirs."""
    high, low = (t_critical(1 - p, df) for p in (least, most))
    p = np.where(t > high, 0.0, 1.0)
    near = (t > low * (1 - _MARGIN)) & (t < high * (1 + _MARGIN))
    p[near] = two_sided(t[near], df)
    return p


def resample_ranks(groups: GroupSums, *, replicates: int, seed: int) -> Resampled:
    """Rank intervals and chances of first place by the cluster bootstrap.

    Each replicate weighs every group by a Poisson(1) draw, the same for all rows, which keeps their pairing; the
    mean of a row is then (W S) / (W N). Rows that tie share the better place. Deterministic in `seed`.
    """
    weights = np.random.default_rng(seed).poisson(1.0, size=(replicates, len(groups.sums))).astype(np.float32)
    weights[weights.sum(axis=1) == 0] = 1.0
    sums, counts = (weights @ group.astype(np.float32) for group in groups)
    ranks = _ranks(np.divide(sums, counts, out=np.full(sums.shape, -1.0, dtype=np.float32), where=counts > 0))
    low, high = (max(0, int(np.ceil(replicates * share)) - 1) for share in (0.025, 0.975))
    first = np.count_nonzero(ranks == 1, axis=1) / replicates
    ranks.sort(axis=1)
    return Resampled(ranks[:, low].astype(np.int64), ranks[:, high].astype(np.int64), first)


def _ranks(means: NDArray[np.float32]) -> NDArray[np.int32]:
    """1 + the number of greater values, which lie in [-1, 1], in each line; neighbours that hardly differ tie.

    Lines become columns. Everything is done in place: fresh memory costs more than the arithmetic.
    """
    lines, rows = means.shape
    scaled = means.astype(np.float64)
    np.subtract(1, scaled, out=scaled)
    scaled /= _STEP
    # Value and place as one number, which sorts fastest.
    value = scaled.astype(np.int64)
    bits = rows.bit_length()
    value <<= bits
    value |= np.arange(rows)
    value.sort(axis=1)
    cell = value & ((1 << bits) - 1)
    value >>= bits
    # Few tie: each line of neighbours that do shares the place of the one before them.
    apart = np.ones((lines, rows), dtype=bool)
    np.greater(value[:, 1:] - value[:, :-1], _TIE, out=apart[:, 1:])
    tied = np.flatnonzero(~apart)
    fresh = np.diff(tied, prepend=-1) > 1
    place = np.tile(np.arange(1, rows + 1, dtype=np.int32), lines)
    place[tied] = place[tied[fresh] - 1][np.cumsum(fresh) - 1]
    cell *= lines
    cell += np.arange(lines)[:, None]
    ranks = np.empty(rows * lines, dtype=np.int32)
    ranks[cell.ravel()] = place
    return ranks.reshape(rows, lines)
