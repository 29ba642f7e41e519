"""A model's pass rate over time."""

from dataclasses import dataclass
from datetime import date
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.intervals import Floats, Ints, clustered_mean


@dataclass(frozen=True, slots=True)
class MonthMean:
    """The problems of one month: how many were judged, and their mean in points with its interval, if it has one."""

    first: date
    n: int
    score: float
    lo: float | None
    hi: float | None


def monthly_scores(days: Ints, rate: Floats, graded: NDArray[np.bool_], clusters: Ints) -> tuple[MonthMean, ...]:
    """Return the months with graded problems, in order. `days` are proleptic ordinals; all arrays are by problem."""
    distinct, place = np.unique(days, return_inverse=True)
    dates = [date.fromordinal(day) for day in distinct.tolist()]
    month = np.array([12 * day.year + day.month - 1 for day in dates], dtype=np.int64)[place]
    months = []
    for number in np.unique(month[graded]).tolist():
        here = graded & (month == number)
        mean = clustered_mean(rate[here], clusters[here])
        first = date(number // 12, number % 12 + 1, 1)
        lo, hi = (100 * end if isfinite(end) else None for end in (mean.lo, mean.hi))
        months.append(MonthMean(first, mean.n, 100 * mean.mean, lo, hi))
    return tuple(months)
