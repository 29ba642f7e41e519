"""Every run's sums over the problems of a board: the whole arithmetic between the cube and a score."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.cube import Cube
from app.domain.cube_axes import Ints
from app.domain.metrics import Floats
from app.domain.selection import Selection
from app.domain.separation import MAX_GROUPS, GroupSums, groups_of
from app.domain.shards import Running, Shard, nothing


class LevelSums(NamedTuple):
    """By level and run: the sum of pass rates and the number of graded problems."""

    rates: Floats
    graded: Floats


class Totals(NamedTuple):
    """Sums over the selected problems, one column per run.

    `rates` and `graded` are as in `LevelSums`. `squares` sums squared pass rates; `moments` are the sums over
    contests of (S^2, S N, N^2), with S a contest's sum of rates and N its graded problems; `contests` counts N > 0.
    `groups` are the sums by group of contests (see `app.domain.separation`). `whole` are the sums by level over
    all selected problems, also where the others are over a part of them.
    """

    rates: Floats
    graded: Floats
    squares: Floats
    moments: Floats
    contests: Floats
    groups: GroupSums
    whole: LevelSums

    @property
    def n(self) -> Floats:
        """Graded problems."""
        total: Floats = self.graded.sum(axis=0)
        return total

    @property
    def mean(self) -> Floats:
        """Mean pass rate, nan where nothing is graded."""
        return mean_rates(self.rates.sum(axis=0), self.n)

    @property
    def variance(self) -> Floats:
        """Contest-clustered variance of the mean, nan with fewer than two contests."""
        mean, (rates, mixed, graded) = self.mean, self.moments
        spread = np.maximum(rates - 2 * mean * mixed + mean * mean * graded, 0.0)
        return _ratio(spread * self.contests, self.n**2 * np.maximum(self.contests - 1, 0))

    @property
    def plain_variance(self) -> Floats:
        """Variance of the mean if problems were independent, nan with fewer than two."""
        n = self.n
        return _ratio(np.maximum(self.squares - n * self.mean**2, 0.0), n * np.maximum(n - 1, 0))

    def take(self, columns: Ints) -> "Totals":
        """Those of some runs."""
        if np.array_equal(columns, np.arange(self.squares.size)):
            return self
        groups = GroupSums(*(each[:, columns] for each in self.groups))
        whole = LevelSums(*(each[:, columns] for each in self.whole))
        rates, graded, squares, moments, contests = (each[..., columns] for each in self[:5])
        return Totals(rates, graded, squares, moments, contests, groups, whole)


def mean_rates(rates: Floats, graded: Floats) -> Floats:
    """Mean pass rates, nan where nothing is graded."""
    # A difference of sums may miss 0 or 1 by a rounding.
    return np.clip(_ratio(rates, graded), 0.0, 1.0)


def _ratio(above: Floats, below: Floats) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return ratio


def totals(cube: Cube, selection: Selection, after: Ints | None = None) -> Totals:
    """Every run's totals; with `after`, each run only over the selected problems of days later than its own entry.

    The groups of a plain window are over all its problems, also with `after`.
    """
    if selection.plain:
        return _from_running(cube, selection, after)
    return _from_blocks(cube, selection, after)


def _edges(selection: Selection) -> tuple[int, int]:
    """The places in `Axes.days` of the first selected day and after the last."""
    days = selection.axes.days
    last = int(np.searchsorted(days, selection.last, side="right"))
    return min(int(np.searchsorted(days, selection.first)), last), last


def _at(cube: Cube, day: int) -> Running:
    """Totals over all days before the place `day` in `Axes.days`."""
    spans = cube.axes.spans
    if not spans:
        return nothing(len(cube.axes.levels), len(cube.axes.runs))
    place = bisect_right(spans, day, key=lambda span: span.day) - 1
    point = day - spans[place].day
    own = cube.shards[place].running
    return Running(*(done + each[..., point, :] for done, each in zip(cube.before[place], own, strict=True)))


def _at_each(cube: Cube, day: Ints) -> Running:
    """The same, each run at its own place."""
    found = nothing(len(cube.axes.levels), len(cube.axes.runs))
    for span, shard, before in zip(cube.axes.spans, cube.shards, cube.before, strict=True):
        columns = np.flatnonzero((day > span.day) & (day <= span.day_end))
        point = day[columns] - span.day
        for target, done, own in zip(found, before, shard.running, strict=True):
            target[..., columns] = done[..., columns] + own[..., point, columns]
    return found


def _from_running(cube: Cube, selection: Selection, after: Ints | None) -> Totals:
    first, last = _edges(selection)
    start, stop = _at(cube, first), _at(cube, last)
    whole = LevelSums(stop.rates - start.rates, stop.graded - start.graded)
    if after is not None:
        start = _at_each(cube, np.clip(np.searchsorted(cube.axes.days, after, side="right"), first, last))
    found = Running(*(each - before for each, before in zip(stop, start, strict=True)))
    groups = _groups(cube, selection)
    return Totals(found.rates, found.graded, found.squares, found.moments, found.contests, groups, whole)


def _groups(cube: Cube, selection: Selection) -> GroupSums:
    """Sums by group of contests over a plain window."""
    axes, blocks = cube.axes, selection.blocks
    if blocks.size <= MAX_GROUPS:
        found = GroupSums(*np.empty((2, blocks.size, len(axes.runs))))
        for part in _parts(cube, selection):
            found.sums[part.place] = part.of(part.shard.total)
            found.counts[part.place] = part.of(part.shard.problems)
        return found
    _, start = np.unique(groups_of(axes.block_day[blocks]), return_index=True)
    edges = np.append(np.searchsorted(axes.days, axes.block_day[blocks[start]]), _edges(selection)[1])
    return GroupSums(*(np.diff(by_day[edges], axis=0) for by_day in cube.by_day))


class _Part(NamedTuple):
    """A shard with selected blocks: which of its blocks they are, and which of the selection's."""

    shard: Shard
    blocks: slice | Ints
    place: slice

    def of(self, values: NDArray[Any]) -> NDArray[Any]:
        """The selected blocks' lines, on the last axis but one; a view where they are neighbours."""
        return values[..., self.blocks, :] if isinstance(self.blocks, slice) else values.take(self.blocks, axis=-2)

    def sum(self, values: NDArray[Any], levels: list[int]) -> NDArray[Any]:
        """The sums of those lines, by level, as products with ones: they copy nothing."""
        weights = np.zeros(values.shape[-2], dtype=values.dtype)
        weights[self.blocks] = 1
        found = np.empty((len(levels), values.shape[-1]), dtype=values.dtype)
        for place, level in enumerate(levels):
            np.matmul(weights, values[level], out=found[place])
        return found


def _parts(cube: Cube, selection: Selection) -> Iterator[_Part]:
    blocks = selection.blocks
    for span, shard in zip(cube.axes.spans, cube.shards, strict=True):
        low, high = (int(place) for place in np.searchsorted(blocks, [span.block, span.block_end]))
        if low < high:
            local = blocks[low:high] - span.block
            neighbours = int(local[-1] - local[0]) == local.size - 1
            yield _Part(shard, slice(int(local[0]), int(local[-1]) + 1) if neighbours else local, slice(low, high))


def _from_blocks(cube: Cube, selection: Selection, after: Ints | None) -> Totals:
    axes, runs, levels = cube.axes, len(cube.axes.runs), list(selection.levels)
    codes, contest, sizes = np.unique(axes.block_cluster[selection.blocks], return_inverse=True, return_counts=True)
    group = groups_of(axes.cluster_day[codes])
    by_level = LevelSums(*np.zeros((2, len(axes.levels), runs)))
    whole = by_level if after is None else LevelSums(*np.zeros((2, len(axes.levels), runs)))
    found = Totals(
        rates=by_level.rates,
        graded=by_level.graded,
        squares=np.zeros(runs),
        moments=np.zeros((3, runs)),
        contests=np.zeros(runs),
        groups=GroupSums(*np.zeros((2, int(group.max(initial=-1)) + 1, runs))),
        whole=whole,
    )
    # Contests of several blocks are added up before anything is squared.
    several = np.flatnonzero(sizes > 1)
    gathered = np.zeros((2, several.size, runs))
    days, newest = axes.block_day[selection.blocks], -1 if after is None else int(after.max(initial=-1))
    for part in _parts(cube, selection):
        later = None
        if after is not None and days[part.place.start] <= newest:
            later = days[part.place, None] > after
        _add_levels(part, levels, later, found)
        rates, graded = _by_block(part, levels, later)
        here = contest[part.place]
        _add_groups(found.groups, group[here], rates, graded)
        if several.size:
            whole = sizes[here] == 1
            into = np.searchsorted(several, here[~whole])
            for target, values in zip(gathered, (rates, graded), strict=True):
                np.add.at(target, into, values[~whole])
            rates, graded = rates[whole], graded[whole]
        _add_contests(found, rates, graded)
    _add_contests(found, *gathered)
    return found


def _add_levels(part: _Part, levels: list[int], later: NDArray[np.bool_] | None, found: Totals) -> None:
    """Add some blocks, or their (block, run) pairs where `later`, to the totals by level."""
    arrays: list[NDArray[Any]] = [part.shard.rates, part.shard.graded, part.shard.squares]
    sums = [part.sum(values, levels) for values in arrays]
    if found.whole.rates is not found.rates:
        found.whole.rates[levels] += sums[0]
        found.whole.graded[levels] += sums[1]
    if later is not None:
        wholly, partly = later.all(axis=0), later.any(axis=0)
        mixed = np.flatnonzero(partly & ~wholly)
        blocks = np.arange(len(part.shard.total))[part.blocks]
        lines = np.ix_(np.array(levels), blocks, mixed)
        for total, values in zip(sums, arrays, strict=True):
            total *= wholly
            total[:, mixed] = (values[lines] * later[:, mixed]).sum(axis=1)
    found.rates[levels] += sums[0]
    found.graded[levels] += sums[1]
    found.squares[:] += sums[2].sum(axis=0)


def _by_block(part: _Part, levels: list[int], later: NDArray[np.bool_] | None) -> tuple[Floats, Floats]:
    """Rates and graded problems of some blocks, of shape (blocks, runs); 0 where not `later`."""
    shard = part.shard
    if len(levels) == len(shard.rates):
        rates, counts = part.of(shard.total), part.of(shard.problems)
    else:
        rates, counts = (
            reduce(np.add, [part.of(values[level]) for level in levels]) for values in (shard.rates, shard.graded)
        )
    graded = counts.astype(np.float64)
    return (rates, graded) if later is None else (rates * later, graded * later)


def _add_groups(groups: GroupSums, group: Ints, rates: Floats, graded: Floats) -> None:
    if np.any(group[1:] < group[:-1]):
        order = np.argsort(group, kind="stable")
        group, rates, graded = group[order], rates[order], graded[order]
    edges = [0, *(np.flatnonzero(np.diff(group)) + 1).tolist(), group.size]
    for low, high in pairwise(edges):
        groups.sums[group[low]] += rates[low:high].sum(axis=0)
        groups.counts[group[low]] += graded[low:high].sum(axis=0)


def _add_contests(found: Totals, rates: Floats, graded: Floats) -> None:
    for place, (one, other) in enumerate(((rates, rates), (rates, graded), (graded, graded))):
        found.moments[place] += np.einsum("gr,gr->r", one, other)
    found.contests[:] += np.add.reduce(graded > 0, axis=0, dtype=np.uint32)
