"""Simulated boards whose true pass rate is known: a Rasch-like model over problems in contests."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.clusters import effective_clusters
from app.domain.metrics.intervals import mean_bounds

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """Spread of difficulty between problems and of form between contests (logits), answers, problems a contest."""

    problem_sd: float
    contest_sd: float
    answers: int
    contest_size: int


DESIGNS = (
    Design(2.0, 0.5, 1, 4),
    Design(2.0, 0.5, 10, 4),
    Design(2.0, 1.0, 10, 4),
    Design(2.0, 0.0, 1, 4),
    Design(1.0, 1.0, 1, 3),
    Design(2.0, 0.5, 5, 6),
    Design(2.0, 0.0, 10, 1),
)
PROBLEMS = (10, 20, 30, 60, 100, 300)
# Problems of each contest: one or two large ones beside small ones, and one that is hardly larger than the others.
UNEQUAL = (
    (60, *[1] * 40), (30, 30, *[1] * 10), (100, *[4] * 12), (60, *[4] * 12), (60, *[4] * 30), (10, *[1] * 10),
    (8, 7, 4, 4, 1, 1), (8, 6, *[5] * 8),
)  # fmt: skip
RATES = (0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.95, 0.98)


def contests(rng: np.random.Generator, problems: int, size: int) -> NDArray[np.int64]:
    """A contest for each problem; contests differ by up to two problems from `size`."""
    lengths: list[int] = []
    while sum(lengths) < problems:
        lengths.append(int(rng.integers(max(1, size - 2), size + 3)))
    return np.repeat(np.arange(len(lengths)), lengths)[:problems]


@cache
def skill_for(rate: float, spread: float) -> float:
    """The skill whose mean pass rate over problems of that spread is `rate`."""
    points, weights = np.polynomial.hermite_e.hermegauss(101)
    weights /= weights.sum()
    low, high = -40.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        mean = float((weights / (1 + np.exp(-(middle + spread * points)))).sum())
        low, high = (middle, high) if mean < rate else (low, middle)
    return (low + high) / 2


def coverage(rng: np.random.Generator, design: Design, contest: NDArray[np.int64], rate: float, boards: int) -> float:
    """How many of 100 intervals hold `rate`, over that many simulated boards of problems of these contests."""
    problems, number = contest.size, int(contest[-1]) + 1
    spread = float(np.hypot(design.problem_sd, design.contest_sd))
    logit = skill_for(rate, spread) + design.problem_sd * rng.standard_normal((boards, problems))
    logit += design.contest_sd * rng.standard_normal((boards, number))[:, contest]
    x: Floats = rng.binomial(design.answers, 1 / (1 + np.exp(-logit))) / design.answers
    mean = x.mean(axis=1)
    sums = np.add.reduceat(x - mean[:, None], np.flatnonzero(np.diff(contest, prepend=-1)), axis=1)
    variance = np.square(sums).sum(axis=1) * number / max(number - 1, 1) / problems**2
    lo, hi = mean_bounds(
        mean, variance, x.var(axis=1, ddof=1) / problems, np.full(boards, problems), np.full(boards, number),
        np.full(boards, effective_clusters(np.bincount(contest))),
    )  # fmt: skip
    return 100 * float(np.mean((lo <= rate) & (rate <= hi)))
