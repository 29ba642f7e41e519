"""Correlation of two scores of the same models, with intervals over models."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, sqrt, tanh
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

MIN_PAIRS = 3  # three pairs give a value without an interval


@dataclass(frozen=True, slots=True)
class CorrelationValue:
    """A correlation of `n` pairs, -1 to 1, with its interval; None if there are too few or they agree entirely."""

    value: float
    lo: float | None
    hi: float | None
    n: int


def pearson(one: Sequence[float], other: Sequence[float], *, confidence: float = 0.95) -> CorrelationValue | None:
    """Return Pearson's correlation with Fisher's interval, standard error 1 / sqrt(n - 3) on the scale of atanh.

    None with fewer than three pairs, or if one side does not vary. Raises ValueError on different lengths.
    """
    value = _correlate(np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64))
    return None if value is None else _with_interval(value, len(one), 1.0, confidence)


def spearman(one: Sequence[float], other: Sequence[float], *, confidence: float = 0.95) -> CorrelationValue | None:
    """Return Spearman's correlation of ranks, with mean ranks for ties and the interval of Bonett and Wright (2000).

    Its standard error is sqrt((1 + r^2 / 2) / (n - 3)) on the scale of atanh. None and ValueError as for `pearson`.
    """
    value = _correlate(ranks(one), ranks(other))
    return None if value is None else _with_interval(value, len(one), 1.0 + value * value / 2, confidence)


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """Return the rank of each value from 1, the least first; equal values share the mean of theirs."""
    array = np.asarray(values, dtype=np.float64)
    _distinct, place, count = np.unique(array, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2)[place], dtype=np.float64)


def _correlate(one: NDArray[np.float64], other: NDArray[np.float64]) -> float | None:
    if one.shape != other.shape:
        raise ValueError("both sides must have one length")
    if one.size < MIN_PAIRS:
        return None
    first, second = one - one.mean(), other - other.mean()
    scale = sqrt(float(first @ first) * float(second @ second))
    if not scale > 1e-12 * max(1.0, float(np.abs(one).max()) * float(np.abs(other).max())):
        return None
    return max(-1.0, min(1.0, float(first @ second) / scale))


def _with_interval(value: float, n: int, variance: float, confidence: float) -> CorrelationValue:
    if n <= MIN_PAIRS or abs(value) > 1 - 1e-12:
        return CorrelationValue(value, None, None, n)
    half = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(variance / (n - 3))
    return CorrelationValue(value, tanh(atanh(value) - half), tanh(atanh(value) + half), n)
