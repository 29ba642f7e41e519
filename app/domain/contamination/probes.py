"""Two further signs of memorisation: private problems beside public fresh ones, and problems beside rewritten twins.

Neither is adjusted for difficulty beyond its own comparison, and neither shows how a model came to know anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import hypot, isfinite

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.intervals import Estimate, Floats, Ints, clustered_mean, paired_difference

Bools = NDArray[np.bool_]

MIN_PROBLEMS, MIN_PAIRS = 30, 10
_POINTS = 100


class PrivateGapReason(StrEnum):
    """Reason why public and private problems cannot be compared."""

    NO_CUTOFF = "no_cutoff"
    FEW_PRIVATE = "few_private"
    FEW_PUBLIC = "few_public"


@dataclass(frozen=True, slots=True)
class MeanScore:
    """A mean in points over `n` problems, with its interval."""

    score: float
    lo: float | None
    hi: float | None
    n: int


@dataclass(frozen=True, slots=True)
class PrivateProblemsGap:
    """Public problems after the cutoff against private ones, in points; without a reason, all figures are there."""

    reason: PrivateGapReason | None
    n_public: int
    n_private: int
    public: MeanScore | None
    private: MeanScore | None
    gap: float | None  # first minus second
    lo: float | None
    hi: float | None
    adjusted_for_difficulty: bool


@dataclass(frozen=True, slots=True)
class RewrittenGap:
    """Problems against their rewritten twins, in points over `n` pairs."""

    gap: float
    lo: float | None
    hi: float | None
    n: int


def private_gap(
    days: Ints, rate: Floats, graded: Bools, clusters: Ints, private: Bools, cutoff: date | None
) -> PrivateProblemsGap:
    """Return the gap of one model; `days` are proleptic ordinals; all arrays have one element per problem.

    The interval is made of those of both means (MOVER), which are clustered by contest: no problem is of both kinds.
    """
    fresh = graded & ~private & (days > (date.max if cutoff is None else cutoff).toordinal())
    hidden = graded & private
    counts = int(fresh.sum()), int(hidden.sum())
    reason = None
    if cutoff is None:
        reason = PrivateGapReason.NO_CUTOFF
    elif counts[1] < MIN_PROBLEMS:
        reason = PrivateGapReason.FEW_PRIVATE
    elif counts[0] < MIN_PROBLEMS:
        reason = PrivateGapReason.FEW_PUBLIC
    if reason is not None:
        return PrivateProblemsGap(reason, *counts, None, None, None, None, None, adjusted_for_difficulty=False)
    a, b = (clustered_mean(rate[kind], clusters[kind]) for kind in (fresh, hidden))
    gap = a.mean - b.mean
    lo, hi = gap - hypot(a.mean - a.lo, b.hi - b.mean), gap + hypot(a.hi - a.mean, b.mean - b.lo)
    return PrivateProblemsGap(
        reason=None,
        n_public=counts[0],
        n_private=counts[1],
        public=_mean_score(a),
        private=_mean_score(b),
        gap=_POINTS * gap,
        lo=_points(lo),
        hi=_points(hi),
        adjusted_for_difficulty=False,
    )


def _mean_score(mean: Estimate) -> MeanScore:
    return MeanScore(_POINTS * mean.mean, _points(mean.lo), _points(mean.hi), mean.n)


def _points(share: float) -> float | None:
    return _POINTS * share if isfinite(share) else None


def rewritten_gap(
    rate: Floats, graded: Bools, clusters: Ints, pairs: Sequence[tuple[int, int]]
) -> tuple[int, RewrittenGap | None]:
    """Return the number of pairs with both graded, and original minus rewritten over them; None for fewer than ten.

    `pairs` hold the places of a problem and of the one that rewrites it. Clustered by the original's contest.
    """
    graded_pairs = [(one, other) for one, other in pairs if graded[one] and graded[other]]
    if len(graded_pairs) < MIN_PAIRS:
        return len(graded_pairs), None
    originals, twins = np.array(graded_pairs, dtype=np.int64).T
    gap = paired_difference(rate[originals], rate[twins], clusters[originals])
    return len(graded_pairs), RewrittenGap(_POINTS * gap.mean, _points(gap.lo), _points(gap.hi), gap.n)
