"""Audit of published problems: one that better models fail more often is suspect."""

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

# Fewer rows say nothing about a problem, nor do rows with fewer other problems in common.
MIN_ROWS = 8
MIN_PROBLEMS = 20
_SIGNIFICANCE_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Discrimination:
    """Correlation by which a problem separates strong rows from weak ones.

    `value` is the correlation, over `rows` rows, between the pass rate on the problem and the mean pass rate on all
    others; `upper` its upper bound at a level that holds for all examined problems together.
    """

    value: float
    upper: float
    rows: int

    @property
    def is_negative(self) -> bool:
        """True if better rows surely do worse on it: its tests or its text are wrong, or it was leaked."""
        return self.upper < 0


def discriminations(rates: NDArray[np.float64]) -> list[Discrimination | None]:
    """Return the discrimination of each problem (column) over rows of pass rates in [0, 1], nan if one was not asked.

    The corrected item-total correlation (Lord and Novick 1968, section 15.6) with Fisher's z bound, one-sided, at 5 %
    over all problems by Bonferroni. None if fewer than `MIN_ROWS` rows answered both it and enough others, or if all
    did alike.
    """
    problems = rates.shape[1]
    if problems < MIN_PROBLEMS:
        return [None] * problems
    mask = ~np.isnan(rates)
    filled = np.where(mask, rates, 0.0)
    totals, counts = filled.sum(axis=1), mask.sum(axis=1)
    bound = NormalDist().inv_cdf(1 - _SIGNIFICANCE_LEVEL / problems)
    return [_discrimination(filled[:, at], mask[:, at], totals, counts, bound) for at in range(problems)]


def _discrimination(
    scores: NDArray[np.float64],
    mask: NDArray[np.bool_],
    totals: NDArray[np.float64],
    counts: NDArray[np.int64],
    bound: float,
) -> Discrimination | None:
    rows = mask & (counts > MIN_PROBLEMS)
    n = int(rows.sum())
    if n < MIN_ROWS:
        return None
    rates = scores[rows]
    rest = (totals[rows] - rates) / (counts[rows] - 1)
    if np.ptp(rates) == 0 or np.ptp(rest) == 0:
        return None
    value = float(np.clip(np.corrcoef(rates, rest)[0, 1], -0.999999, 0.999999))
    upper = math.tanh(math.atanh(value) + bound / math.sqrt(n - 3))
    return Discrimination(value, upper, n)
