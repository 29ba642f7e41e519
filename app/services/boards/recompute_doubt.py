"""How sure scores are, as `recompute.py` of a bundle computes it with numpy and nothing else."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

EVEN = 1e-9  # rates closer than this are even
_NORMAL = 1.959963984540054  # the two-sided 95 % point of the normal


@lru_cache
def _t_critical(df: float) -> float:
    """The two-sided 95 % point of Student's t: its density, as cos(angle)^(df-1), summed by Gauss and Legendre."""
    nodes, weights = np.polynomial.legendre.leggauss(64)
    scale = 2 * math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(math.pi)

    def inside(x: float) -> float:
        end = math.atan(x / math.sqrt(df))
        return float(scale * end / 2 * (weights @ np.cos(end * (nodes + 1) / 2) ** (df - 1)))

    low, high = 1.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if inside(middle) > 0.95 else (middle, high)
    return (low + high) / 2


def interval(values: np.ndarray[Any, Any], clusters: list[str]) -> tuple[float, float]:
    """The 95 % interval of a mean of pass rates, clustered by contest.

    With G clusters, mean m, clustered variance v and plain variance w: m -+ t(G-1) sqrt(v) where G >= 10 and both m
    and 1-m times m(1-m)/v reach 40. Else Wilson's interval of size m(1-m)/u, u = ((G-1) v + 2 p)/(G+1) with
    p = (w + m(1-m)/n)/2, and t of (G+1)^2/(G-1) degrees of freedom; of size n at 0 and 1. One cluster: Wilson's of 1.
    From 30 to 40 one passes into the other.
    """
    n, m = len(values), float(np.mean(values))
    sums: dict[str, float] = {}
    for value, cluster in zip(values.tolist(), clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value - m
    groups, binomial = len(sums), m * (1 - m)
    if groups < 2:
        return _wilson(m, groups, _NORMAL)
    variance = groups / (groups - 1) * sum(total * total for total in sums.values()) / n**2
    variance = 0.0 if variance <= EVEN * binomial / n else variance  # rounding
    guess = (float(np.var(values, ddof=1)) / n + binomial / n) / 2
    mixed = ((groups - 1) * variance + 2 * guess) / (groups + 1)
    size = n if binomial <= EVEN else binomial / mixed
    ends = _wilson(m, size, _t_critical((groups + 1) ** 2 / (groups - 1)))
    count = binomial / variance * min(m, 1 - m) if groups >= 10 and variance > 0 else 0.0
    large, half = min(max((count - 30) / 10, 0.0), 1.0), _t_critical(groups - 1) * math.sqrt(variance)
    return (1 - large) * ends[0] + large * (m - half), (1 - large) * ends[1] + large * (m + half)


def _wilson(m: float, size: float, critical: float) -> tuple[float, float]:
    square = critical**2 / size
    centre, half = m + square / 2, math.sqrt(square * (m * (1 - m) + square / 4))
    return min(max((centre - half) / (1 + square), 0.0), m), max(min((centre + half) / (1 + square), 1.0), m)
