"""Two further signs of memorisation: private problems beside public fresh ones, and problems beside rewritten twins.

Neither is adjusted for difficulty beyond its own comparison, and neither shows how a model came to know anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from math import hypot

import numpy as np
from numpy.typing import NDArray

from app.domain.metrics.intervals import Difference, Estimate, Floats, Ints, clustered_mean, paired_difference

Bools = NDArray[np.bool_]

MIN_PROBLEMS, MIN_PAIRS = 30, 10


class PrivateGapReason(StrEnum):
    """Reason why public and private problems cannot be compared."""

    NO_CUTOFF = "no_cutoff"
    FEW_PRIVATE = "few_private"
    FEW_PUBLIC = "few_public"


@dataclass(frozen=True, slots=True)
class PrivateGap:
    """Means of a model on public problems after its cutoff and on private ones, and the first minus the second.

    Without a reason, the means and the gap have intervals. Shares, not points.
    """

    reason: PrivateGapReason | None
    n_public: int
    n_private: int
    public: Estimate | None = None
    private: Estimate | None = None
    gap: float | None = None
    lo: float | None = None
    hi: float | None = None


def private_gap(
    days: Ints, rate: Floats, graded: Bools, clusters: Ints, private: Bools, cutoff: date | None
) -> PrivateGap:
    """Return the gap of one model; `days` are proleptic ordinals; all arrays have one element per problem.

    The interval is made of those of both means (MOVER), which are clustered by contest: no problem is of both kinds.
    """
    fresh = graded & ~private & (days > (date.max if cutoff is None else cutoff).toordinal())
    hidden = graded & private
    counts = int(fresh.sum()), int(hidden.sum())
    if cutoff is None:
        return PrivateGap(PrivateGapReason.NO_CUTOFF, *counts)
    if counts[1] < MIN_PROBLEMS:
        return PrivateGap(PrivateGapReason.FEW_PRIVATE, *counts)
    if counts[0] < MIN_PROBLEMS:
        return PrivateGap(PrivateGapReason.FEW_PUBLIC, *counts)
    a, b = (clustered_mean(rate[kind], clusters[kind]) for kind in (fresh, hidden))
    gap = a.mean - b.mean
    return PrivateGap(
        None, *counts, a, b, gap, gap - hypot(a.mean - a.lo, b.hi - b.mean), gap + hypot(a.hi - a.mean, b.mean - b.lo)
    )


def rewritten_gap(
    rate: Floats, graded: Bools, clusters: Ints, pairs: Sequence[tuple[int, int]]
) -> tuple[int, Difference | None]:
    """Return the number of pairs with both graded, and original minus rewritten over them; None for fewer than ten.

    `pairs` hold the places of a problem and of the one that rewrites it. Clustered by the original's contest.
    """
    graded_pairs = [(one, other) for one, other in pairs if graded[one] and graded[other]]
    if len(graded_pairs) < MIN_PAIRS:
        return len(graded_pairs), None
    originals, twins = np.array(graded_pairs, dtype=np.int64).T
    return len(graded_pairs), paired_difference(rate[originals], rate[twins], clusters[originals])
