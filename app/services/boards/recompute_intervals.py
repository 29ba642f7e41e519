"""Intervals and separation of scores, as `recompute.py` of a bundle computes them with numpy and nothing else."""

import math
from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

RATE_TOLERANCE = 1e-9  # rates closer than this are equal
_NORMAL = 1.959963984540054  # the two-sided 95 % point of the normal
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)
_ALPHA = 0.05
Array = np.ndarray[Any, Any]


def _t_within(x: Array, df: float) -> Array:
    """Return the chance that Student's t is within +-x, by Gauss-Legendre quadrature of its density in the angle."""
    scale = 2 * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)
    end = np.arctan(x / math.sqrt(df)) / 2
    inside: Array = scale * end * (np.cos(end[..., None] * (_NODES + 1)) ** (df - 1) @ _WEIGHTS)
    return inside


@lru_cache
def _t_critical(df: float, level: float = 0.95) -> float:
    """Return the two-sided point of Student's t."""
    low, high = 0.0, 1.0
    while _t_within(np.array(high), df) < level:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if _t_within(np.array(middle), df) > level else (middle, high)
    return (low + high) / 2


def interval(values: Array, clusters: list[str]) -> tuple[float, float]:
    """Return the 95 % interval of a mean of pass rates, clustered by contest.

    G clusters carry as much information as E = (sum n)^2 / sum n^2 of equal size. With mean m, clustered variance v and
    plain variance w: m -+ t(G-1) sqrt(v) if G >= 10, E >= G/2 and both m and 1-m times m(1-m)/v reach 40. Else Wilson's
    interval of size m(1-m)/u, u = ((E-1) v/l + 2 p)/(E+1) with p = (w + m(1-m)/n)/2 and l of `_size_share`, and t of
    (E+1)^2/(E-1) degrees of freedom; of size n at 0 and 1. One cluster: Wilson's of size 1, to which the size falls
    below E = 2. The two are blended from 30 to 40, and from E = .3 G. For rates between 0 and 1, see `_as_if_whole`.
    """
    n, m = len(values), float(np.mean(values))
    sums: dict[str, float] = {}
    for value, cluster in zip(values.tolist(), clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value - m
    effective = round(n**2 / sum(size**2 for size in Counter(clusters).values()), 9) if n else 0.0
    groups, binomial = len(sums), m * (1 - m)
    if groups < 2:
        return _wilson(m, groups, _NORMAL)
    variance = groups / (groups - 1) * sum(total * total for total in sums.values()) / n**2
    plain = float(np.var(values, ddof=1)) / n
    effective = effective if effective < groups * (1 - RATE_TOLERANCE) else groups
    ends = _ends(m, variance, plain, n, groups, effective)
    if not 0 < m < 1:
        return ends
    effect = variance / plain if plain > RATE_TOLERANCE * binomial / n else 1.0
    return (
        1 - _as_if_whole(1 - m, 1 - ends[0], effect, plain, n, groups, effective),
        _as_if_whole(m, ends[1], effect, plain, n, groups, effective),
    )


def _as_if_whole(m: float, end: float, effect: float, plain: float, n: int, groups: int, effective: float) -> float:
    """Return the upper end, or a higher one of fewer passes with equal squares, if problems passed whole but for a
    part."""
    passes = n * m
    squares = min(n * (plain * (n - 1) + m**2), passes)
    whole = math.floor(squares + RATE_TOLERANCE)
    fewest = whole + math.sqrt(squares - whole if squares - whole > RATE_TOLERANCE else 0.0)
    variants = [(float(whole), float(whole))]
    variants += [(fewest + share * (passes - fewest), squares) for share in (0.0, 0.4, 0.6, 0.8, 0.9)]
    highest = end
    for total, square in variants:
        mean = min(total / n, 1.0)
        alone = max(square / n - mean**2, 0.0) / (n - 1)
        highest = max(highest, _ends(mean, effect * alone, alone, n, groups, effective)[1])
    weight = min(max(2 - min(n / groups, passes**2 / squares), 0.0), 1.0)
    return (1 - weight) * end + weight * highest


def _size_share(groups: int, effective: float) -> float:
    """Return the share of a clustered variance that remains when clusters differ in size."""
    if effective >= groups:
        return 1.0
    fewer = max(effective, 1 + RATE_TOLERANCE)
    equal = math.sqrt((fewer - 1) / (groups - 1))
    share: float = (1 - 1 / fewer) ** equal * (1 - 1 / math.sqrt(fewer)) ** (2 - 2 * equal) * groups / (groups - 1)
    return share


def _ends(m: float, variance: float, plain: float, n: int, groups: int, effective: float) -> tuple[float, float]:
    binomial = m * (1 - m)
    variance = 0.0 if variance <= RATE_TOLERANCE * binomial / n else variance  # a rounding error
    guess = (plain + binomial / n) / 2
    mixed = ((effective - 1) * variance / _size_share(groups, effective) + 2 * guess) / (effective + 1)
    size = n if binomial <= RATE_TOLERANCE else binomial / mixed
    single = max(2 - effective, 0.0)
    size = 1 / (single + (1 - single) / size) if single > 0 else size
    # As numpy rounds: 11.025 is a little above a half step, but 100 times it is exactly on one.
    rounded = (
        effective
        if effective >= groups
        else max(round(100 * effective) / 100 if effective < 20 else round(effective), 1.01)
    )
    ends = _wilson(m, size, _t_critical((rounded + 1) ** 2 / (rounded - 1)))
    outcomes = min(binomial / variance, 3 * (n - 1)) * min(m, 1 - m) if variance > 0 else 0.0
    count = outcomes if groups >= 10 else 0.0
    large = min(max((count - 30) / 10, 0.0), 1.0) * min(max((effective / groups - 0.3) / 0.2, 0.0), 1.0)
    half = _t_critical(groups - 1) * math.sqrt(variance)
    return (1 - large) * ends[0] + large * (m - half), (1 - large) * ends[1] + large * (m + half)


def _wilson(m: float, size: float, critical: float) -> tuple[float, float]:
    square = critical**2 / size
    centre, half = m + square / 2, math.sqrt(square * (m * (1 - m) + square / 4))
    return min(max((centre - half) / (1 + square), 0.0), m), max(min((centre + half) / (1 + square), 1.0), m)


def separate_rows(sums: Array, problems: Array, scores: Array) -> tuple[Array, float | None]:
    """Return which row is surely better than which, and the median gap that neighbours need.

    `sums` holds each row's pass rates summed by contest, `problems` the problems of each contest, `scores` the rates
    that rows are ranked by, best first. For every two rows the mean difference over its standard error, clustered by
    contest, is read as t of G-1 degrees of freedom; p = 2 (1 + difference)^-G if all contests agree. G is (sum n)^2 /
    sum n^2 of the contests' sizes n, which is their number if all have one size. Holm over all pairs.
    """
    rows, n = sums.shape[1], float(problems.sum())
    groups = round(n**2 / float(np.square(problems).sum()), 9) if n else 0.0
    better = np.zeros((rows, rows), dtype=bool)
    if groups < 2 or rows < 2:
        return better, None
    spread = (sums - sums.sum(axis=0) / n * problems[:, None]) / n
    gap = np.maximum(scores[:, None] - scores, 0.0)
    squares = [np.square(spread[:, [row]] - spread).sum(axis=0) for row in range(rows)]
    error = np.sqrt(groups / (groups - 1) * np.array(squares))
    agreed = error**2 <= np.maximum(RATE_TOLERANCE * gap**2 / n, 1e-24)
    p = np.where(agreed, np.minimum(2 * (1 + gap) ** -groups, 1.0), 1.0)
    p[~agreed] = 1 - _t_within(gap[~agreed] / error[~agreed], groups - 1)
    first_rows, second_rows = np.triu_indices(rows, 1)
    remaining = first_rows.size
    for place in np.argsort(p[first_rows, second_rows], kind="stable").tolist():
        if p[first_rows[place], second_rows[place]] >= _ALPHA / remaining:
            break
        better[first_rows[place], second_rows[place]], remaining = True, remaining - 1
    pairs = max(remaining, 1)
    none, critical = min((2 * pairs / _ALPHA) ** (1 / groups) - 1, 1.0), _t_critical(groups - 1, 1 - _ALPHA / pairs)
    return better, float(np.median(np.where(agreed, none, critical * error).diagonal(1)))
