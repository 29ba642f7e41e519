"""A model's pass rate over time."""

from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.intervals import Floats, Ints, clustered_mean


class MonthScore(NamedTuple):
    """The problems of one calendar month: first day, number graded, and their mean with its interval, in points."""

    first: date
    n: int
    score: float
    lo: float
    hi: float


def monthly_scores(days: Ints, rate: Floats, graded: NDArray[np.bool_], clusters: Ints) -> tuple[MonthScore, ...]:
    """Return the months with graded problems, in order. `days` are proleptic ordinals; all arrays are by problem."""
    dates = [date.fromordinal(int(day)) for day in days]
    month = np.array([12 * day.year + day.month - 1 for day in dates], dtype=np.int64)
    months = []
    for number in np.unique(month[graded]).tolist():
        here = graded & (month == number)
        mean = clustered_mean(rate[here], clusters[here])
        first = date(number // 12, number % 12 + 1, 1)
        months.append(MonthScore(first, mean.n, 100 * mean.mean, 100 * mean.lo, 100 * mean.hi))
    return tuple(months)
