"""How the rows of a board stand to each other: order, ranks as intervals, tie tiers."""

import hashlib
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Rules
from app.domain.boards.entrants import MIN_COVERAGE, Entrants
from app.domain.boards.separation import GroupSums, Resampled, first_separated, resample_ranks, ties
from app.domain.metrics.intervals import Bounds, Floats, Ints, mean_bounds, rank_intervals

# Means are told apart to this many digits: sums made in another order must tie.
_DIGITS = 10
# Contests drawn from fewer say nothing of those to come: from one, whoever leads is first in all draws.
MIN_RESAMPLED = 10


@dataclass(frozen=True)
class Standing:
    """Arrays beside the entrants; a place or tier of 0 means none. `order` lists the entrants as shown.

    `mean` and `bounds` are pass rates; `ranked` says which entrants have a rank, `resampled` runs beside those,
    best first; `first_separated` is the rank of the best row that can be told from the first.
    """

    order: Ints
    rank: Ints
    best: Ints
    worst: Ints
    tier: Ints
    mean: Floats
    bounds: Bounds
    coverage: Floats
    provisional: NDArray[np.bool_]
    ranked: Ints
    resampled: Resampled | None
    resolution: float | None
    first_separated: int | None


def stand(field: Entrants, query: BoardQuery, contests: int, replicates: int) -> Standing:
    """Order and rank the entrants over so many contests; see `app.domain.boards.ranking.rank_board` for the rules."""
    sums = field.totals
    n, mean, variance, plain = sums.means()
    coverage = np.minimum(np.divide(field.covered, field.wanted, out=np.zeros(n.shape), where=field.wanted > 0), 1.0)
    share = field.share
    provisional = (share < MIN_COVERAGE) & (field.whole > 0)
    rank, best, worst, tier = np.zeros((4, n.size), dtype=np.int64)
    bounds = mean_bounds(mean, variance, plain, n, sums.contests)
    resampled = resolution = separated = None
    if query.rules is Rules.LCB:
        score = np.array([_one_decimal(rate) for rate in mean])
        order = np.argsort(-score, kind="stable")
        ranked = order[~field.unfit[order] & (n[order] > 0)]
        rank[ranked] = best[ranked] = worst[ranked] = 1 + np.arange(ranked.size)
    else:
        fit = ~field.unfit & ~provisional & ~field.lineup.extra[field.places] & (n > 0)
        # Where a row stands, what it lacks counts as failed: to have fewer answers never raises a rank.
        counted = np.where(fit, field.counted, 1.0)
        score = np.round(np.nan_to_num(mean * counted, nan=-1.0), _DIGITS)
        order = np.lexsort((-score, ~fit))
        ranked = order[: np.count_nonzero(fit)]
        rank[ranked] = 1 + np.searchsorted(-score[ranked], -score[ranked], side="left")
        counted = counted[ranked]
        best[ranked], worst[ranked] = rank_intervals(bounds.lo[ranked] * counted, bounds.hi[ranked] * counted)
        ranked_groups = GroupSums(*(group.take(ranked, axis=1) for group in sums.groups))
        groups = ranked_groups._replace(counts=ranked_groups.counts / counted)
        tier[ranked], resolution = ties(groups)
        if replicates:
            if contests >= MIN_RESAMPLED:
                resampled = resample_ranks(groups, replicates=replicates, seed=_seed(query, groups))
            place = first_separated(groups)
            separated = None if place is None else int(rank[ranked[place]])
    return Standing(
        order, rank, best, worst, tier, mean, bounds, coverage, provisional, ranked, resampled, resolution, separated
    )


def _one_decimal(mean: float) -> float:
    """100 * mean with one decimal, halves up, as JavaScript's toFixed(1) does; -1 for none."""
    if np.isnan(mean):
        return -1.0
    # The site sums percentages, we sum rates: without rounding, noise would decide halves.
    return float(Decimal(round(100 * mean, 9)).quantize(Decimal("0.1"), ROUND_HALF_UP))


def _seed(query: BoardQuery, groups: GroupSums) -> int:
    """Of the question and the results it is about: nothing that happens on other boards moves this one's numbers."""
    digest = hashlib.blake2b(repr(query).encode(), digest_size=8)
    digest.update(repr(query.more).encode() if query.more else b"")
    for values in groups:
        digest.update(np.round(values.sum(axis=0), _DIGITS).tobytes())
    return int.from_bytes(digest.digest())
