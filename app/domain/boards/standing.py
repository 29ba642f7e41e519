"""Standings of a board: order of rows, ranks as ranges, tiers."""

import hashlib
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Rules
from app.domain.boards.entrants import MIN_COVERAGE, BoardEntrants
from app.domain.boards.groups import GroupSums, contest_sums
from app.domain.boards.selection import Selection
from app.domain.boards.separation import HolmThreshold, chances_of_first, rows_apart_from, tell_apart
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats, IntervalBounds, Ints, Ranks, mean_bounds, rank_intervals

# Means are compared to this many digits: sums in another order must tie.
_SCORE_DIGITS = 10
# Fewer contests say nothing of later ones: resampled from a single one, the leader is always first.
MIN_RESAMPLED_CONTESTS = 10


@dataclass(frozen=True)
class BoardStandings:
    """Arrays parallel to the entrants; a rank or tier of 0 means none. `order` lists the entrants as shown.

    `mean` and `bounds` are pass rates, `plain` is the variance of a mean if problems were independent. `ranked` lists
    the entrants with a rank, best first; `overlap` and `first_chance` are parallel to it: the places that single
    intervals allow, and how often each would be first. `first_separated` is the rank of the best row that surely is not
    first; `compared` holds the data that all this came from.
    """

    order: Ints
    rank: Ints
    best: Ints
    worst: Ints
    tier: Ints
    mean: Floats
    plain: Floats
    bounds: IntervalBounds
    coverage: Floats
    provisional: NDArray[np.bool_]
    ranked: Ints
    overlap: Ranks | None
    first_chance: Floats | None
    compared: "RankComparison | None"
    resolution: float | None
    first_separated: int | None


@dataclass(frozen=True)
class RankComparison:
    """The data by which the ranked rows were compared, best first."""

    groups: GroupSums
    scores: Floats
    threshold: HolmThreshold

    def told_from(self, row: int) -> NDArray[np.bool_]:
        """Return which ranked rows can be told from the row `row`."""
        return rows_apart_from(self.groups, self.scores, row, self.threshold)


def rank_entrants(
    cube: Cube, selection: Selection, field: BoardEntrants, query: BoardQuery, replicates: int
) -> BoardStandings:
    """Order and rank the entrants; see `app.domain.boards.ranking.rank_board` for the rules."""
    sums = field.totals
    n, mean, variance, plain, alike = sums.means()
    coverage = np.minimum(np.divide(field.covered, field.wanted, out=np.zeros(n.shape), where=field.wanted > 0), 1.0)
    share = field.share
    provisional = (share < MIN_COVERAGE) & (field.whole > 0)
    rank, best, worst, tier = np.zeros((4, n.size), dtype=np.int64)
    bounds = mean_bounds(mean, variance, plain, n, sums.contests, alike)
    overlap = first_chance = compared = resolution = separated = None
    if query.rules is Rules.LCB:
        score: Floats = np.array([_one_decimal(rate) for rate in mean])
        order = np.argsort(-score, kind="stable")
        ranked = order[~field.unfit[order] & (n[order] > 0)]  # in split mode a row may have nothing left
        rank[ranked] = best[ranked] = worst[ranked] = 1 + np.arange(ranked.size)
    else:
        fit = ~field.unfit & ~provisional & ~field.lineup.extra[field.places]
        # For ranks, missing results count as failed, so that fewer answers never raise a rank.
        counted = np.where(fit, field.counted, 1.0)
        score = np.nan_to_num(mean * counted, nan=-1.0).round(_SCORE_DIGITS)
        order = np.lexsort((-score, ~fit))
        ranked = order[: np.count_nonzero(fit)]
        rank[ranked] = 1 + np.searchsorted(-score[ranked], -score[ranked], side="left")
        overlap = rank_intervals(*(ends[ranked] * counted[ranked] for ends in bounds))
        groups = _scale_sums(
            contest_sums(cube, selection, field.totals.groups, ranked, field.columns[ranked]), field, ranked
        )
        apart = tell_apart(groups, score[ranked])
        best[ranked], worst[ranked], tier[ranked], resolution, threshold = apart
        if threshold is not None:
            compared = RankComparison(groups, score[ranked], threshold)
        if (apart.best > 1).any():
            separated = int(rank[ranked[np.argmax(apart.best > 1)]])
        if replicates and len(field.totals.groups.problems) >= MIN_RESAMPLED_CONTESTS:
            groups = _scale_sums(field.totals.groups.take(ranked), field, ranked)
            first_chance = chances_of_first(groups, apart.best, replicates=replicates, seed=_seed(query, groups))
    return BoardStandings(
        order, rank, best, worst, tier, mean, plain, bounds, coverage, provisional, ranked,
        overlap, first_chance, compared, resolution, separated,
    )  # fmt: skip


def _scale_sums(groups: GroupSums, field: BoardEntrants, ranked: Ints) -> GroupSums:
    """Return the sums of the ranked entrants, scaled to the rates that they are ranked by."""
    scale = field.counted[ranked] * groups.problems.sum() / field.totals.n[ranked]
    return groups if np.all(scale == 1) else groups._replace(sums=groups.sums * scale)


def _one_decimal(mean: float) -> float:
    """Return 100 * mean with one decimal, halves up, as JavaScript's toFixed(1) does; -1 for nan."""
    if np.isnan(mean):
        return -1.0
    # The site sums percentages, we sum rates: without rounding first, noise would decide halves.
    return float(Decimal(round(100 * mean, 9)).quantize(Decimal("0.1"), ROUND_HALF_UP))


def _seed(query: BoardQuery, groups: GroupSums) -> int:
    """Return a seed made of the query and its results: events on other boards do not change this one's numbers."""
    digest = hashlib.blake2b(repr(query).encode(), digest_size=8)
    digest.update(repr(query.more).encode() if query.more else b"")
    for values in groups:
        digest.update(np.round(values.sum(axis=0), _SCORE_DIGITS).tobytes())
    return int.from_bytes(digest.digest())
