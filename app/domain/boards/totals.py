"""Sums of every run over the problems of a board: the arithmetic between the cube and a score."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.blocks import ShardBlocks, add_lines, blocks_by_shard
from app.domain.boards.groups import MAX_GROUPS, GroupSums, groups_of
from app.domain.boards.seen_problems import SeenProblems
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Axes, Ints
from app.domain.cube.cube import Cube
from app.domain.cube.rollups import HALVES, sums_before_halves, sums_between
from app.domain.cube.shards import RunningTotals, zero_totals
from app.domain.metrics.intervals import Floats

# With fewer groups of contests, rows are told apart too often or not at all (`app.domain.boards.groups`).
_MIN_GROUPS = 32


class LevelSums(NamedTuple):
    """The sum of pass rates and the number of graded problems, by level and run."""

    rates: Floats
    graded: Floats


class MeanPassRates(NamedTuple):
    """Mean pass rates over `n` graded problems, nan without any.

    `variance` is contest-clustered, `plain_variance` that of independent problems; both are nan with fewer than two
    contests or problems. `alike` is the effective number of contests of one size.
    """

    n: Floats
    mean: Floats
    variance: Floats
    plain_variance: Floats
    alike: Floats


class Totals(NamedTuple):
    """Sums over the selected problems, one column per run.

    `rates` and `graded` are as in `LevelSums`. `squares` sums squared pass rates; `moments` are the sums over contests
    of (S^2, S N, N^2), with S a contest's sum of rates and N its graded problems; `contests` counts N > 0. `groups` are
    the sums by group of contests (see `app.domain.boards.groups`). `whole` are the sums by level over all selected
    problems, even if the others are over a part of them.
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
        """Number of graded problems."""
        total: Floats = self.graded.sum(axis=0)
        return total

    def means(self) -> "MeanPassRates":
        """Return the mean pass rates and their variances."""
        n, (rates, mixed, graded) = self.n, self.moments
        mean = mean_rates(self.rates.sum(axis=0), n)
        spread = np.maximum(rates - 2 * mean * mixed + mean * mean * graded, 0.0)
        return MeanPassRates(
            n=n,
            mean=mean,
            variance=_ratio(spread * self.contests, n**2 * np.maximum(self.contests - 1, 0)),
            plain_variance=_ratio(np.maximum(self.squares - n * mean**2, 0.0), n * np.maximum(n - 1, 0)),
            alike=_ratio(n**2, graded),
        )

    def take(self, columns: Ints) -> "Totals":
        """Return the totals of some runs."""
        if np.array_equal(columns, np.arange(self.squares.size)):
            return self
        groups = self.groups.take(columns)
        whole = LevelSums(*(sums[:, columns] for sums in self.whole))
        rates, graded, squares, moments, contests = (values[..., columns] for values in self[:5])
        return Totals(rates, graded, squares, moments, contests, groups, whole)


def mean_rates(rates: Floats, graded: Floats) -> Floats:
    """Return mean pass rates, nan if nothing is graded."""
    # Rounding in a difference of sums may lead outside 0..1.
    return np.clip(_ratio(rates, graded), 0.0, 1.0)


def _ratio(above: Floats, below: Floats) -> Floats:
    ratio: Floats = np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)
    return ratio


def totals(cube: Cube, selection: Selection, seen: SeenProblems | None = None) -> Totals:
    """Return every run's totals; with `seen`, each run's only over the selected problems that it cannot have seen.

    Groups are over all selected problems, also with `seen`.
    """
    after = None if seen is None else seen.until
    if seen is not None and seen.count_sent(selection.chosen).any():  # single problems: sums over days do not help
        return _from_problems(cube, selection, seen)
    if selection.plain:
        return _from_running_totals(cube, selection, after)
    if selection.single:
        return _from_problems(cube, selection, seen)
    return _from_blocks(cube, selection, after)


def _day_edges(selection: Selection) -> tuple[int, int]:
    """Return the places in `Axes.days` of the first selected day and after the last."""
    days = selection.axes.days
    last = int(np.searchsorted(days, selection.last, side="right"))
    return min(int(np.searchsorted(days, selection.first)), last), last


def _totals_before(cube: Cube, day: int) -> RunningTotals:
    """Return the totals over all days before the place `day` in `Axes.days`."""
    spans = cube.axes.spans
    if not spans:
        return zero_totals(len(cube.axes.levels), len(cube.axes.runs))
    place = bisect_right(spans, day, key=lambda span: span.day) - 1
    point = day - spans[place].day
    own = cube.shards[place].running
    return RunningTotals(
        *(earlier + sums[..., point, :] for earlier, sums in zip(cube.before[place], own, strict=True))
    )


def _totals_before_each(cube: Cube, day: Ints) -> RunningTotals:
    """Return the totals before a place of its own for each run."""
    running = zero_totals(len(cube.axes.levels), len(cube.axes.runs))
    for span, shard, before in zip(cube.axes.spans, cube.shards, cube.before, strict=True):
        columns = np.flatnonzero((day > span.day) & (day <= span.day_end))
        point = day[columns] - span.day
        for target, earlier, own in zip(running, before, shard.running, strict=True):
            target[..., columns] = earlier[..., columns] + own[..., point, columns]
    return running


def _from_running_totals(cube: Cube, selection: Selection, after: Ints | None) -> Totals:
    first, last = _day_edges(selection)
    start, stop = _totals_before(cube, first), _totals_before(cube, last)
    whole = LevelSums(stop.rates - start.rates, stop.graded - start.graded)
    if after is not None:
        start = _totals_before_each(cube, np.clip(np.searchsorted(cube.axes.days, after, side="right"), first, last))
    running = RunningTotals(*(sums - before for sums, before in zip(stop, start, strict=True)))
    groups = _plain_groups(cube, selection)
    return Totals(running.rates, running.graded, running.squares, running.moments, running.contests, groups, whole)


def _plain_groups(cube: Cube, selection: Selection) -> GroupSums:
    """Return sums by group of contests over a plain window."""
    axes, blocks = cube.axes, selection.blocks
    group = groups_of(axes.block_day[blocks])
    problems = _problems_by_group(selection, group)
    if blocks.size <= MAX_GROUPS:
        sums = np.empty((blocks.size, len(axes.runs)))
        for part in blocks_by_shard(cube, blocks):
            sums[part.place] = part.take(part.shard.total)
        return GroupSums(sums, problems)
    start = np.flatnonzero(np.diff(group, prepend=-1))
    edges = np.append(np.searchsorted(axes.days, axes.block_day[blocks[start]]), _day_edges(selection)[1])
    return GroupSums(np.diff(cube.by_day[edges], axis=0), problems)


def _problems_by_group(selection: Selection, group: Ints) -> Floats:
    """Return how many of the selected problems are in each group, given the group of each block."""
    axes = selection.axes
    sizes = np.bincount(axes.block[selection.chosen], minlength=axes.block_day.size)[selection.blocks]
    return np.bincount(group, weights=sizes).astype(np.float64)


def _from_blocks(cube: Cube, selection: Selection, after: Ints | None) -> Totals:
    """Return totals from the rollups of whole shards and from all other blocks one by one."""
    axes, runs, blocks = cube.axes, len(cube.axes.runs), selection.blocks
    start, stop = selection.whole_shards
    whole = ~axes.block_parted[blocks]
    whole &= (blocks >= _first_block(axes, start)) & (blocks < _first_block(axes, stop))
    many = selection.contests > MAX_GROUPS and bool(whole.any())
    by_half = many and _has_enough_halves(axes.block_half[blocks])
    group = _block_groups(selection, by_half=by_half)
    by_level = LevelSums(*np.zeros((2, len(axes.levels), runs)))
    total = Totals(
        rates=by_level.rates,
        graded=by_level.graded,
        squares=np.zeros(runs),
        moments=np.zeros((3, runs)),
        contests=np.zeros(runs),
        groups=GroupSums(np.zeros((int(group.max(initial=-1)) + 1, runs)), _problems_by_group(selection, group)),
        whole=by_level if after is None else LevelSums(*np.zeros((2, len(axes.levels), runs))),
    )
    if whole.any():
        _add_shards(cube, selection, after, blocks[whole], total)
        add_groups = _add_halves if by_half else _add_groups
        add_groups(cube, selection, blocks[whole], group[whole], total.groups.sums)
    _add_blocks(cube, selection, after, ~whole, group, total)
    return total


def _add_halves(cube: Cube, selection: Selection, blocks: Ints, group: Ints, sums: Floats) -> None:
    """Add contests of one block in whole shards to their groups, which are runs of half shards."""
    begin = np.flatnonzero(np.diff(group, prepend=-1))
    edges = np.append(cube.axes.block_half[blocks[begin]], HALVES * selection.whole_shards[1])
    before = sums_before_halves(cube.axes, cube.rollups, selection.platforms, selection.levels, edges)
    sums[group[begin]] += np.diff(before, axis=0)


def _add_groups(cube: Cube, selection: Selection, blocks: Ints, group: Ints, sums: Floats) -> None:
    """Add blocks to their groups."""
    every = len(selection.levels) == len(cube.axes.levels)
    for part in blocks_by_shard(cube, blocks):
        shard = part.shard
        values = part.take(shard.total) if every else part.sum_levels(shard.rates, selection.levels)
        add_lines(sums, group[part.place], values)


def _from_problems(cube: Cube, selection: Selection, seen: SeenProblems | None) -> Totals:
    """Return totals problem by problem, for selections that split blocks."""
    axes, runs, rows = cube.axes, len(cube.axes.runs), np.flatnonzero(selection.chosen)
    codes, contest = np.unique(axes.cluster[rows], return_inverse=True)
    own, whole = (LevelSums(*np.zeros((2, len(axes.levels), runs))) for _ in range(2))
    group = groups_of(axes.cluster_day[codes])
    problems = np.bincount(group[contest]).astype(np.float64)
    groups = GroupSums(np.zeros((problems.size, runs)), problems)
    by_contest = np.zeros((2, codes.size, runs))
    squares = np.zeros(runs)
    for inside, (rate, graded) in cube.pass_rates(rows):
        here, contest = contest[: inside.size], contest[inside.size :]
        later = np.ones(runs, dtype=bool) if seen is None else seen.clean(inside, np.arange(runs))
        for place, values in enumerate((np.where(graded, rate, 0.0), graded.astype(np.float64))):
            add_lines(whole[place], axes.level[inside], values)
            add_lines(own[place], axes.level[inside], values * later)
            add_lines(by_contest[place], here, values * later)
        add_lines(groups.sums, group[here], np.where(graded, rate, 0.0))
        squares += np.square(np.where(graded & later, rate, 0.0)).sum(axis=0)
    tried = np.count_nonzero(by_contest[1], axis=0).astype(np.float64)
    return Totals(own.rates, own.graded, squares, _moments(*by_contest), tried, groups, whole)


def _has_enough_halves(halves: Ints) -> bool:
    """Return whether half shards, each a group of contests, amount to `_MIN_GROUPS` of one size.

    Counted by Kish's effective number. If not, at most that many times their size of blocks have to be summed one by
    one.
    """
    sizes = np.bincount(halves)
    return bool(sizes.sum() ** 2 >= _MIN_GROUPS * np.square(sizes).sum() > 0)


def _first_block(axes: Axes, shard: int) -> int:
    return axes.spans[shard].block if shard < len(axes.spans) else axes.block_day.size


def _block_groups(selection: Selection, *, by_half: bool) -> Ints:
    """Return the group of each selected block: of its contest, or with many contests of the half shard it begins in."""
    axes, blocks = selection.axes, selection.blocks
    codes, first, contest = selection.by_contest
    if not by_half:
        return groups_of(axes.cluster_day[codes])[contest]
    halves, place = np.unique(axes.block_half[blocks[first]], return_inverse=True)
    return groups_of(halves)[place][contest]


def _add_shards(cube: Cube, selection: Selection, after: Ints | None, blocks: Ints, total: Totals) -> None:
    """Add the contests of one block in whole shards; `blocks` are those."""
    axes, (start, stop), levels = cube.axes, selection.whole_shards, list(selection.levels)
    begin: int | Ints = start
    if after is not None:
        begin = np.clip(np.searchsorted(axes.span_days[:, 0], after, side="right"), start, stop)
        _add_later_blocks(cube, levels, after, blocks, total)
        every = sums_between(axes, cube.rollups, selection.platforms, levels, start, stop)
        total.whole.rates[levels] += every.rates
        total.whole.graded[levels] += every.graded
    sums = sums_between(axes, cube.rollups, selection.platforms, levels, begin, stop)
    total.rates[levels] += sums.rates
    total.graded[levels] += sums.graded
    for target, values in zip((total.squares, total.moments, total.contests), sums[2:], strict=True):
        target += values


def _add_later_blocks(cube: Cube, levels: Sequence[int], after: Ints, blocks: Ints, total: Totals) -> None:
    """Add for each run the `blocks` on later days in the shard that its cutoff day cuts."""
    axes = cube.axes
    place = np.searchsorted(axes.span_days[:, 0], after, side="right") - 1
    ends = np.searchsorted(blocks, [span.block_end for span in axes.spans])
    first, last = np.searchsorted(axes.block_day[blocks], after, side="right"), np.where(place < 0, 0, ends[place])
    columns = np.flatnonzero(first < last)
    if not columns.size:
        return
    columns = columns[np.argsort(place[columns], kind="stable")]
    place, first, sizes = place[columns], first[columns], (last - first)[columns]
    start = np.cumsum(sizes) - sizes
    pairs = int(sizes.sum())
    block, run = blocks[np.repeat(first - start, sizes) + np.arange(pairs)], np.repeat(columns, sizes)
    values = np.empty((3, len(levels), pairs))
    edges = np.flatnonzero(np.diff(place, prepend=-1))
    for shard, (low, high) in zip(place[edges].tolist(), pairwise([*start[edges].tolist(), pairs]), strict=True):
        span, source = axes.spans[shard], cube.shards[shard]
        at = ((block[low:high] - span.block) * len(axes.runs) + run[low:high])[None, :]
        at = at + np.array(levels)[:, None] * ((span.block_end - span.block) * len(axes.runs))
        for target, of in zip(values, (source.rates, source.graded, source.squares), strict=True):
            target[:, low:high] = of.reshape(-1).take(at)
    rates, graded, squares = values
    into = np.array(levels)[:, None], columns
    total.rates[into] += np.add.reduceat(rates, start, axis=1)
    total.graded[into] += np.add.reduceat(graded, start, axis=1)
    total.squares[columns] += np.add.reduceat(squares.sum(axis=0), start)
    rate, count = rates.sum(axis=0), graded.sum(axis=0)
    moments = np.stack([rate * rate, rate * count, count * count])
    total.moments[:, columns] += np.add.reduceat(moments, start, axis=1)
    total.contests[columns] += np.add.reduceat(count > 0, start, dtype=np.float64)


def _add_blocks(
    cube: Cube, selection: Selection, after: Ints | None, mask: NDArray[np.bool_], group: Ints, total: Totals
) -> None:
    """Add the flagged selected blocks to the sums and to their groups."""
    axes = cube.axes
    blocks, group = selection.blocks[mask], group[mask]
    # Contests of several blocks are added up before anything is squared.
    several = axes.block_parted[blocks]
    codes, contest = np.unique(axes.block_cluster[blocks[several]], return_inverse=True)
    gathered = np.zeros((2, codes.size, len(axes.runs)))
    days, newest = axes.block_day[blocks], -1 if after is None else int(after.max(initial=-1))
    for part in blocks_by_shard(cube, blocks):
        later = days[part.place, None] > after if after is not None and days[part.place.start] <= newest else None
        rates, graded = _add_levels(part, list(selection.levels), later, total)
        add_lines(total.groups.sums, group[part.place], rates)
        if later is not None:
            rates, graded = rates * later, graded * later
        parted = several[part.place]
        if parted.any():
            here, contest = np.split(contest, [np.count_nonzero(parted)])
            for target, values in zip(gathered, (rates, graded), strict=True):
                np.add.at(target, here, values[parted])
            rates, graded = rates[~parted], graded[~parted]
        _add_contests(total, rates, graded)
    if codes.size:
        _add_contests(total, *gathered)


def _add_levels(
    part: ShardBlocks, levels: list[int], later: NDArray[np.bool_] | None, total: Totals
) -> tuple[Floats, Floats]:
    """Add some blocks, or their (block, run) pairs where `later`, to the totals by level.

    Return their sums of rates and numbers of graded problems over the levels, all of them, of shape (blocks, runs).
    """
    shard = part.shard
    rates, graded, squares = (part.by_level(array, levels) for array in (shard.rates, shard.graded, shard.squares))
    for values, own, whole in ((rates, total.rates, total.whole.rates), (graded, total.graded, total.whole.graded)):
        sums = values.sum(axis=1)
        whole[levels] += sums
        if whole is not own:
            own[levels] += sums if later is None else (values * later).sum(axis=1)
    square = squares.sum(axis=0)
    total.squares[:] += (square if later is None else square * later).sum(axis=0)
    return rates.sum(axis=0), graded.sum(axis=0).astype(np.float64)


def _moments(rates: Floats, graded: Floats) -> Floats:
    pairs = ((rates, rates), (rates, graded), (graded, graded))
    return np.stack([np.einsum("gr,gr->r", one, other) for one, other in pairs])


def _add_contests(total: Totals, rates: Floats, graded: Floats) -> None:
    total.moments[:] += _moments(rates, graded)
    total.contests[:] += np.count_nonzero(graded, axis=0)
