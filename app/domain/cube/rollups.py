"""Sums of whole shards by platform and level: most of a filtered board is a difference of two such sums.

Clustered variances need, for every contest, its sum of pass rates S and its graded problems N over the selected levels,
squared and multiplied. Over levels S = sum_l S_l, so sums over contests of S_l S_m, S_l N_m and N_l N_m contain the
moments of every choice of levels; and the numbers of contests by the set of levels that a run was graded on contain the
number of contests with N > 0. Contests that are cut into several blocks are left out, since they have to be put
together before anything is squared.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.axes import Axes, Ints, Span

Floats = NDArray[np.float64]
HALVES = 2


class Rollup(NamedTuple):
    """Sums over a shard's contests of one block, of shape (parts, lines, runs); a line is a platform and what follows.

    `rates` (sums of pass rates) and `graded` (numbers of problems) are by level, in two parts: over the first half of
    the shard's blocks and over the second. The others have one part: `squares` (of pass rates) by level, `moments` by
    term (see `moment_lines`), and `contests` counted by the set of levels with graded problems, as a number whose bit l
    is level l. For many shards (`accumulate_rollups`), the first axis holds the sums before each part and after the
    last.
    """

    rates: Floats
    graded: Floats
    squares: Floats
    moments: Floats
    contests: NDArray[np.int32]


class RolledSums(NamedTuple):
    """Sums over some shards as in `app.domain.boards.totals.Totals`; those by level are by the chosen levels."""

    rates: Floats
    graded: Floats
    squares: Floats
    moments: Floats
    contests: Floats


@cache
def moment_lines(levels: int) -> tuple[tuple[int, int, int], ...]:
    """Return (moment, l, m) of each line of `moments`: S_l S_m (0) and N_l N_m (2) for l <= m, and S_l N_m (1)."""
    pairs = list(product(range(levels), repeat=2))
    return tuple((moment, one, other) for moment in range(3) for one, other in pairs if moment == 1 or one <= other)


def rollup_shapes(axes: Axes) -> tuple[tuple[tuple[int, ...], type[np.generic]], ...]:
    """Return shape and type of a rollup's arrays."""
    platforms, levels, runs = len(axes.platforms), len(axes.levels), len(axes.runs)
    return (
        ((HALVES, platforms * levels, runs), np.float64),
        ((HALVES, platforms * levels, runs), np.float64),
        ((1, platforms * levels, runs), np.float64),
        ((1, platforms * len(moment_lines(levels)), runs), np.float64),
        ((1, platforms * 2**levels, runs), np.int32),
    )


def empty_rollup(axes: Axes) -> Rollup:
    """Return the sums over no contests."""
    return Rollup(*(np.zeros(shape, dtype=kind) for shape, kind in rollup_shapes(axes)))


def roll_up(axes: Axes, span: Span, rates: Floats, graded: Floats, squares: Floats) -> Rollup:
    """Return the rollup of a shard, given its sums by (level, block, run)."""
    levels, runs = len(axes.levels), len(axes.runs)
    own = slice(span.block, span.block_end)
    half, platform, single = axes.block_half[own] % HALVES, axes.block_platform[own], ~axes.block_parted[own]
    rollup = empty_rollup(axes)
    for place in range(len(axes.platforms)):
        at = np.flatnonzero(single & (platform == place))
        if not at.size:
            continue
        lines = slice(place * levels, (place + 1) * levels)
        rate, count, second = rates[:, at], graded[:, at], half[at] == 1
        for values, target in ((rate, rollup.rates), (count, rollup.graded)):
            target[0, lines], target[1, lines] = values[:, ~second].sum(axis=1), values[:, second].sum(axis=1)
        rollup.squares[0, lines] = squares[:, at].sum(axis=1)
        line = place * len(moment_lines(levels))  # adjacent lines, so that one product serves many levels
        for moment, (left, right) in enumerate(((rate, rate), (rate, count), (count, count))):
            for one in range(levels):
                others = right if moment == 1 else right[one:]
                end = line + len(others)
                np.einsum("br,lbr->lr", left[one], others, out=rollup.moments[0, line:end])
                line = end
        sets = np.tensordot(2 ** np.arange(levels), count > 0, axes=1)
        counts = np.bincount((sets + 2**levels * np.arange(runs)).ravel(), minlength=runs * 2**levels)
        rollup.contests[0, place * 2**levels : (place + 1) * 2**levels] = counts.reshape(runs, 2**levels).T
    return rollup


def accumulate_rollups(axes: Axes, shards: Sequence[Rollup]) -> Rollup:
    """Return running totals over shards."""
    totals: list[NDArray[Any]] = []
    for place, ((parts, *shape), kind) in enumerate(rollup_shapes(axes)):
        total = np.zeros((parts * len(shards) + 1, *shape), dtype=kind)
        every = (part for shard in shards for part in shard[place])
        for at, part in enumerate(every):
            np.add(total[at], part, out=total[at + 1])
        totals.append(total)
    return Rollup(*totals)


def sums_between(
    axes: Axes, sums: Rollup, platforms: Sequence[int], levels: Sequence[int], start: int | Ints, stop: int
) -> RolledSums:
    """Return sums over the shards from `start` up to `stop`, of these platforms and levels.

    `start` is one shard for all runs, or one for each.
    """
    cells = _lines(platforms, levels, len(axes.levels))

    def of(values: NDArray[Any], lines: Sequence[int], step: int = 1) -> NDArray[Any]:
        change: NDArray[Any] = values[stop * step].take(lines, axis=0)
        if isinstance(start, int):
            change -= values[start * step].take(lines, axis=0)
        else:
            _, count, runs = values.shape
            at = np.array(lines, dtype=np.int64)[:, None] + start * (step * count)
            change -= values.reshape(-1).take(at * runs + np.arange(runs))
        return change

    def by_level(values: Floats) -> Floats:
        total: Floats = values.reshape(len(platforms), len(levels), values.shape[-1]).sum(axis=0)
        return total

    moment_terms, level_set = moment_lines(len(axes.levels)), set(levels)
    term_lines = [place for place, (_, one, other) in enumerate(moment_terms) if {one, other} <= level_set]
    # S^2 contains S_l S_m twice if l and m differ; S N contains each S_l N_m once.
    weights = np.zeros((3, len(term_lines)))
    for place, line in enumerate(term_lines):
        moment, one, other = moment_terms[line]
        weights[moment, place] = 1.0 if moment == 1 or one == other else 2.0
    moments = of(sums.moments, _lines(platforms, term_lines, len(moment_terms)))
    # Fewer sets contain none of the selected levels than some.
    unset = [bits for bits in range(2 ** len(axes.levels)) if not any(bits >> level & 1 for level in levels)]
    contests = axes.shard_contests[:, list(platforms)].sum(axis=1)
    without = of(sums.contests, _lines(platforms, unset, 2 ** len(axes.levels))).sum(axis=0)
    return RolledSums(
        rates=by_level(of(sums.rates, cells, HALVES)),
        graded=by_level(of(sums.graded, cells, HALVES)),
        squares=of(sums.squares, cells).sum(axis=0),
        moments=weights @ moments.reshape(len(platforms), len(term_lines), moments.shape[-1]).sum(axis=0),
        contests=(contests[stop] - contests[start] - without).astype(np.float64),
    )


def sums_before_halves(
    axes: Axes, sums: Rollup, platforms: Sequence[int], levels: Sequence[int], halves: Ints
) -> Floats:
    """Return sums of rates over the shards' halves before each of `halves`, of shape (halves, runs)."""
    total = np.zeros((halves.size, sums.rates.shape[-1]))
    for line in _lines(platforms, levels, len(axes.levels)):
        total += sums.rates[halves, line]
    return total


def _lines(platforms: Sequence[int], lines: Sequence[int], count: int) -> list[int]:
    return [platform * count + line for platform in platforms for line in lines]
