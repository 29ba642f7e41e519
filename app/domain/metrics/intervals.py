"""Point estimates and their uncertainty: pass@k, clustered means, paired differences, ranks as intervals.

Values are per-problem pass rates in [0, 1]; nan means that a problem is missing and is left out. Clusters are
the contests problems came in: problems of one contest share authors and topics, so they are not independent.
Sources: Chen et al. 2021 (pass@k); Miller 2024, arXiv 2411.00640 (clustered and paired standard errors).

The interval of a mean, with n values in G clusters, mean m, clustered variance v and plain variance w = s^2/n:

- *Large cells*, if G >= 10 and both m and 1-m times the effective size e = m(1-m)/v, at most 3 (n - 1), reach 40:
  m -+ t(G-1) sqrt(v), as in Miller.
- *In between*, if they reach 30 and not 40, each end is the mean of the one above, weighted (count - 30)/10, and the
  one below: Wilson's lies further from 0 and 1, and a jump from one to the other would lower a bound for one more pass.
- *All others*: a Wilson interval of effective size m(1-m)/u with u = ((G-1) v + 2 p) / (G+1), that is the
  clustered variance with two clusters' worth of the guess p = (w + m(1-m)/n) / 2 mixed in, and t with
  (G+1)^2/(G-1) degrees of freedom (Satterthwaite's for that mixture). A clustered variance from a handful of
  contests is far too noisy by itself, and often exactly 0.
- *Contests of unequal sizes* count as E = (sum n)^2 / sum n^2 of one size (Carter, Schnepel and Steigerwald 2017). A
  contest of sixty problems beside ten of one is most of the mean, so it hardly departs from it, and v is near 0
  whatever that contest is like. So the last two rules use E for G, and v times (G-1)/G over
  (1 - 1/E)^r (1 - E^-1/2)^(2-2r), r^2 = (E-1)/(G-1): the share of v that remains if the sizes are equal (r = 1; then
  nothing changes), and if one contest's effect is the whole variance (r = 0). Below E = 2 the size approaches that of
  one trial, as with a single contest; the first rule fades out from E = G/2 to .3 G.
- A mean of exactly 0 or 1, which has no variance: the Wilson interval of n trials with the same t, as one failure or
  one pass would have it. A single cluster: that of one trial. No interval has width 0.
- If answers to one problem differ, an end lies no further in than *whole* problems allow: nine of ten answers to one
  problem say nothing of problems that fail ten times, and 269 passes of 270 would have a higher lower bound than 270.
  With f = sum(1-x), the failures, and Q = sum (1-x)^2, a lower end is the least of those for Q and f' failures, f' in
  [whole part of Q + sqrt(rest), f], and for the whole part of Q alone; upper ends are the mirror image. An answer that
  passes makes f and Q smaller, so that with one problem a contest it lowers neither end, wherever it comes. With
  several problems a contest this holds of the last pass; in between it fades out, up to two problems a contest and two
  that fall short (f^2 / Q): everywhere it would make the intervals of clustered boards hold the truth too often.

How many of 100 such 95 % intervals hold the true rate p, for J problems in contests of 1-8: the mean over seven
simulated designs (difficulty sd 1-2 logits, contest effects 0-1 logit, 1-10 answers each; 3,000 boards a cell; the
lowest single cell is 92.8; tests/domain/test_coverage.py repeats it):

      J    p=.02    .05     .1     .2     .5     .8    .95    .98
     10      98.3   97.4   97.6   97.7   96.6   97.4   97.3   98.3
     20      96.9   97.3   97.2   95.7   96.0   95.9   97.3   97.1
     30      98.1   96.8   96.2   95.9   95.6   95.8   96.5   98.0
     60      96.8   95.6   95.5   95.3   94.6   95.4   95.8   96.5
    100      95.1   95.4   95.2   95.2   94.6   95.0   95.3   95.4
    300      94.5   95.3   95.2   94.5   95.0   94.7   95.3   94.4

Above 97 are cells of so few outcomes that no rule does better: at 2 % a model scores 0 of ten four times in five,
and that interval must hold 2 %. The plain t interval holds 17-95 there, the plain Wilson interval with effective
size capped at J 97-99 wherever answers are many. Contest effects as large as the whole spread of difficulty (an
intra-class correlation of .5) would bring the lowest cells under 90. docs/evidence.md has windows of unequal contests.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.domain.metrics.clusters import PRIOR_CLUSTERS, Clusters, clusters_of, critical_values, effective_clusters
from app.domain.metrics.distributions import t_sf

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_LARGE_CLUSTERS, _SMALL_COUNT, _LARGE_COUNT = 10, 30.0, 40.0
# Effective over actual number of clusters: above the first, t intervals are valid; below the second, none is used.
_EQUAL_SHARE, _UNEQUAL_SHARE = 0.5, 0.3
# Steps towards the actual rates at which an interval is compared with those of rates closer to whole.
_WHOLE_SHARES = (0.0, 0.4, 0.6, 0.8, 0.9)
# Below this share of the binomial variance a clustered variance is rounding, not information.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its clustered standard error and interval; all nan without observations.

    `n` values in `clusters` clusters; `df` = clusters - 1. `se` is nan with a single cluster.
    """

    mean: float
    se: float
    lo: float
    hi: float
    n: int
    clusters: int
    df: int


@dataclass(frozen=True, slots=True)
class Difference(Estimate):
    """A mean difference a - b over the problems that both have, with its two-sided p value."""

    p: float


class IntervalBounds(NamedTuple):
    """Lower and upper ends, one per row."""

    lo: Floats
    hi: Floats


class Ranks(NamedTuple):
    """Best and worst place that the data allow, one per row, from 1."""

    lo: Ints
    hi: Ints


@overload
def pass_at_k(n: float, c: float, k: int) -> float: ...
@overload
def pass_at_k(n: ArrayLike, c: ArrayLike, k: int) -> Any: ...
def pass_at_k(n: Any, c: Any, k: int) -> Any:
    """Return the chance that one of `k` answers drawn from `n`, of which `c` pass, passes: 1 - C(n-c, k)/C(n, k).

    Numbers or arrays that broadcast; a float for numbers. nan if n < k or a count is missing (nan).
    Raises ValueError for k < 1 or counts outside 0 <= c <= n.
    """
    if k < 1:
        raise ValueError("k must be at least 1")
    total, right = np.broadcast_arrays(np.asarray(n, dtype=np.float64), np.asarray(c, dtype=np.float64))
    if np.any((right < 0) | (right > total)):
        raise ValueError("counts must satisfy 0 <= c <= n")
    enough = total >= k
    miss = np.ones(total.shape)
    for draw in range(k):
        left = np.divide(total - right - draw, total - draw, out=np.zeros(total.shape), where=enough)
        miss *= np.maximum(left, 0.0)
    value = np.where(enough & ~np.isnan(right), 1.0 - miss, nan)
    return float(value) if value.ndim == 0 else value


def clustered_mean(x: ArrayLike, clusters: Sequence[object] | NDArray[Any], *, confidence: float = 0.95) -> Estimate:
    """Return the unweighted mean of per-problem pass rates, with contest-clustered standard error and interval.

    `x` holds values in [0, 1] or nan (left out); `clusters` one label each. The standard error is sqrt(G/(G-1) sum_g
    (sum_{j in g} (x_j - mean))^2) / n; the interval is described in the module. Raises ValueError on different lengths
    or values outside [0, 1].
    """
    values = np.asarray(x, dtype=np.float64)
    labels = _codes(values, clusters)
    mask = ~np.isnan(values)
    values, labels = values[mask], labels[mask]
    if np.any((values < 0) | (values > 1)):
        raise ValueError("pass rates must lie between 0 and 1")
    if values.size == 0:
        return Estimate(nan, nan, nan, nan, 0, 0, 0)
    mean, variance, count = _clustered(values, labels)
    plain = float(np.var(values, ddof=1)) / values.size if values.size > 1 else nan
    alike = effective_clusters(np.unique(labels, return_counts=True)[1])
    bounds = mean_bounds(
        *(np.array([value]) for value in (mean, variance, plain, values.size, count, alike)), confidence=confidence
    )
    return Estimate(mean, sqrt(variance), float(bounds.lo[0]), float(bounds.hi[0]), values.size, count, count - 1)


def mean_bounds(
    mean: Floats,
    variance: Floats,
    plain: Floats,
    n: NDArray[Any],
    clusters: NDArray[Any],
    alike: NDArray[Any],
    *,
    confidence: float = 0.95,
) -> IntervalBounds:
    """Return the intervals of many means at once, one per row; nan if `n` is 0.

    `variance` is the clustered variance of the mean (read only if `clusters` > 1), `plain` the unclustered one. `alike`
    is the effective number of clusters.
    """
    groups = clusters_of(np.asarray(clusters, dtype=np.float64), np.asarray(alike, dtype=np.float64), confidence)
    ends = _interval_ends(mean, variance, plain, n, groups)
    inner = (mean > 0) & (mean < 1) & (clusters > 1) & (n > 1)
    for end, passed, mirrored in ((ends.lo, 1.0 - mean, True), (ends.hi, mean, False)):
        squares, weight = _squares(passed, plain, n, clusters)
        at = np.flatnonzero(inner & (weight > 0))
        if at.size:
            whole = _as_if_whole(passed[at], squares[at], variance[at], plain[at], n[at], groups.at(at))
            here = 1.0 - end[at] if mirrored else end[at]
            moved, part = whole > here, weight[at]
            further = ((1 - part) * here + part * whole)[moved]
            end[at[moved]] = 1.0 - further if mirrored else further
    return ends


def _squares(mean: Floats, plain: Floats, n: NDArray[Any], clusters: NDArray[Any]) -> tuple[Floats, Floats]:
    """Return the sum of squared rates, and the weight of the bound by whole problems."""
    with np.errstate(divide="ignore", invalid="ignore"):
        passes = n * mean
        squares = np.minimum(n * (np.maximum(plain, 0.0) * (n - 1) + mean**2), passes)
        return squares, np.clip(2.0 - np.minimum(n / clusters, passes**2 / squares), 0.0, 1.0)


def _as_if_whole(
    mean: Floats,
    squares: Floats,
    variance: Floats,
    plain: Floats,
    n: NDArray[Any],
    groups: Clusters,
) -> Floats:
    """Return the highest upper end for fewer passes with the same squares; see the module's docstring."""
    with np.errstate(divide="ignore", invalid="ignore"):
        passes = n * mean
        varied = plain > _ROUNDING * mean * (1.0 - mean) / n
        effect = np.where(varied, variance / plain, 1.0)
        whole = np.floor(squares + _ROUNDING)
        rest = squares - whole
        fewest = whole + np.sqrt(np.where(rest > _ROUNDING, rest, 0.0))  # a rounding error has no root
        shares = np.array(_WHOLE_SHARES)[:, None]
        sums = np.minimum(np.vstack([whole, fewest + shares * (passes - fewest)]) / n, 1.0)
        alone = np.maximum(np.vstack([whole, *[squares] * len(_WHOLE_SHARES)]) / n - sums**2, 0.0) / (n - 1)
        highest: Floats = _interval_ends(sums, effect * alone, alone, n, groups).hi.max(axis=0)
        return highest


def _interval_ends(
    mean: Floats,
    variance: Floats,
    plain: Floats,
    n: NDArray[Any],
    groups: Clusters,
) -> IntervalBounds:
    clusters, alike, left, plain_t, mixed_t = groups
    binomial = mean * (1.0 - mean)
    with np.errstate(divide="ignore", invalid="ignore"):
        bound = binomial / n
        spread = np.where((clusters > 1) & (variance > _ROUNDING * bound), variance, 0.0)
        guess = (np.maximum(plain, 0.0) + bound) / 2
        prior = PRIOR_CLUSTERS * guess
        mixed = ((alike - 1) * spread / left + prior) / (alike - 1 + PRIOR_CLUSTERS)
        # Many answers to a problem count as one outcome.
        outcomes = np.minimum(binomial / spread, 3 * (n - 1)) * np.minimum(mean, 1 - mean)
        count = np.where((clusters >= _LARGE_CLUSTERS) & (spread > 0), outcomes, 0.0)
        large = np.clip((count - _SMALL_COUNT) / (_LARGE_COUNT - _SMALL_COUNT), 0.0, 1.0)
        large = large * np.clip((alike / clusters - _UNEQUAL_SHARE) / (_EQUAL_SHARE - _UNEQUAL_SHARE), 0.0, 1.0)
        even = bound <= _ROUNDING / np.maximum(n, 1)
        several = np.where(even, n, binomial / mixed)
        one = np.clip(2.0 - alike, 0.0, 1.0)
        size = np.where(clusters < 2, clusters, np.where(one > 0, 1 / (one + (1 - one) / several), several))
    wilson = _wilson(mean, size, mixed_t)
    half = plain_t * np.sqrt(spread)
    ends = (wilson.lo, mean - half), (wilson.hi, mean + half)
    return IntervalBounds(*(np.where(large > 0, (1 - large) * small + large * end, small) for small, end in ends))


def _wilson(mean: Floats, size: Floats, critical: Floats) -> IntervalBounds:
    with np.errstate(divide="ignore", invalid="ignore"):
        square = critical**2 / size
        centre = (mean + square / 2) / (1 + square)
        half = np.sqrt(square * (mean * (1 - mean) + square / 4)) / (1 + square)
    return IntervalBounds(np.clip(centre - half, 0.0, mean), np.clip(centre + half, mean, 1.0))


def paired_difference(
    a: ArrayLike, b: ArrayLike, clusters: Sequence[object] | NDArray[Any], *, confidence: float = 0.95
) -> Difference:
    """Return the mean of a - b over the problems that both have, with contest-clustered interval and p value, t(G-1).

    `a`, `b` hold pass rates or nan. This comparison is far sharper than overlap of intervals, since hard problems cost
    both models. If all contests agree to the last digit (standard error 0), it is unknown how many contests would not,
    and by how much: at most a share u of them, as none of G did (Clopper and Pearson), and down to -1. So the half
    width is u (1 + |mean|) with u = 1 - (alpha/2)^(1/G), and p = 2 (1 + |mean|)^-G, which for a mean of 1 is the sign
    test's. With one cluster the interval is [-1, 1] and p is 1. Raises ValueError on different lengths.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.shape != second.shape:
        raise ValueError("a, b and clusters must have one length")
    difference = first - second
    labels = _codes(difference, clusters)
    mask = ~np.isnan(difference)
    if not mask.any():
        return Difference(nan, nan, nan, nan, 0, 0, 0, nan)
    difference, labels = difference[mask], labels[mask]
    mean, variance, count = _clustered(difference, labels)
    bounds = difference_bounds(*(np.array([value]) for value in (mean, variance, count)), confidence=confidence)
    lo, hi = float(bounds.lo[0]), float(bounds.hi[0])
    varied = count > 1 and variance > 0
    p = 2 * t_sf(abs(mean) / sqrt(variance), count - 1) if varied else float(agreed_p(mean, count))
    return Difference(mean, sqrt(variance), lo, hi, difference.size, count, count - 1, p)


def difference_bounds(
    mean: Floats, variance: Floats, clusters: NDArray[Any], *, confidence: float = 0.95
) -> IntervalBounds:
    """Return the intervals of many paired mean differences at once; see `paired_difference`."""
    critical, _ = critical_values(clusters, confidence)
    with np.errstate(invalid="ignore", divide="ignore"):
        agreed = (1 - ((1 - confidence) / 2) ** (1 / clusters)) * (1 + np.abs(mean))
        half = np.where(variance > 0, critical * np.sqrt(variance), agreed)
    lo, hi = np.maximum(mean - half, -1.0), np.minimum(mean + half, 1.0)
    single = clusters < 2
    return IntervalBounds(np.where(single, np.minimum(mean, -1.0), lo), np.where(single, np.maximum(mean, 1.0), hi))


@overload
def agreed_p(mean: float, clusters: float) -> float: ...
@overload
def agreed_p(mean: Floats, clusters: NDArray[Any] | float) -> Floats: ...
def agreed_p(mean: Any, clusters: Any) -> Any:
    """Return the two-sided p value of a mean difference that all contests agree on; see `paired_difference`."""
    return np.minimum(2.0 * (1.0 + np.abs(mean)) ** -np.asarray(clusters, dtype=np.float64), 1.0)


def _codes(values: Floats, clusters: Sequence[object] | NDArray[Any]) -> NDArray[np.intp]:
    if values.ndim != 1 or len(clusters) != values.size:
        raise ValueError("values and clusters must have one length")
    codes: dict[object, int] = {}
    labels = clusters.tolist() if isinstance(clusters, np.ndarray) else clusters
    return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.intp)


def _clustered(values: Floats, labels: NDArray[np.intp]) -> tuple[float, float, int]:
    """Return (mean, clustered variance of the mean or nan, clusters) of values that are all present."""
    mean = float(values.mean())
    _, codes = np.unique(labels, return_inverse=True)
    sums = np.bincount(codes, weights=values - mean)
    count = sums.size
    if count < 2:
        return mean, nan, count
    variance = float(np.square(sums).sum()) * count / (count - 1) / values.size**2
    return mean, 0.0 if variance <= rounding_variance(float(np.square(values).sum()), values.size) else variance, count


@overload
def rounding_variance(squares: float, n: int) -> float: ...
@overload
def rounding_variance(squares: Floats, n: Floats) -> Floats: ...
def rounding_variance(squares: Any, n: Any) -> Any:
    """Return the clustered variance of a mean that rounding may cause, given the sum of its `n` squared values."""
    return _ROUNDING * squares / n**2


def holm(p: ArrayLike, among: int | None = None) -> Floats:
    """Return Holm's step-down adjustment of the p values of one family; nan stays, and does not count.

    `among` is the size of the family if these were selected from it after looking. Rejecting adjusted values below
    alpha keeps the chance of any false rejection below alpha.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values)[: np.count_nonzero(~np.isnan(values))]
    steps = values[order] * (np.arange(order.size, 0, -1) + (0 if among is None else among - order.size))
    adjusted = np.full(values.shape, nan)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Return Benjamini and Hochberg's step-up adjustment (1995) of one family's p values; nan stays, uncounted.

    q_(i) = min over j >= i of m p_(j) / j, at most 1. Rejecting q below alpha keeps the expected share of false
    rejections below alpha: weaker than the guarantee of `holm`, and it finds more.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values)[: np.count_nonzero(~np.isnan(values))][::-1]
    scaled = values[order] * order.size / np.arange(order.size, 0, -1)
    adjusted = np.full(values.shape, nan)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled), 1.0)
    return adjusted


def rank_intervals(lo: ArrayLike, hi: ArrayLike) -> Ranks:
    """Return the places that intervals allow: best 1 + #{j: lo_j > hi_i}, worst #{j: hi_j >= lo_i}.

    The best place is that of LMArena's monitor; the worst is its mirror. Both include the row's place by score if each
    interval holds its score; a row with unknown ends (nan) may be anywhere. Interval overlap is conservative between
    models on the same problems: `tiers` and paired differences are sharper.
    """
    low = np.nan_to_num(np.asarray(lo, dtype=np.float64), nan=-inf)
    high = np.nan_to_num(np.asarray(hi, dtype=np.float64), nan=inf)
    best = 1 + low.size - np.searchsorted(np.sort(low), high, side="right")
    worst = high.size - np.searchsorted(np.sort(high), low, side="left")
    return Ranks(best.astype(np.int64), worst.astype(np.int64))
