"""A shard of the cube: some months of problems, with all sums that boards need of them.

The cube is cut by time so that a new verdict changes one shard, and all others are shared with the previous cube.
"""

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.cube import rollups
from app.domain.cube.axes import Axes, Ints, Span
from app.domain.cube.rollups import Floats, Rollup

Singles = NDArray[np.float32]  # exact for counts
Counts = NDArray[np.uint16]


class ProblemRates(NamedTuple):
    """Pass rates of some problems: `rate` (0 if nothing is graded) and `graded`, of shape (problems, runs)."""

    rate: Floats
    graded: NDArray[np.bool_]


class OwnTestResults(NamedTuple):
    """Pass rates and flags of graded problems, of shape (problems, runs): problems at `rows`, runs at `columns`."""

    rows: Ints
    columns: Ints
    rate: Floats
    graded: NDArray[np.bool_]


class ItemCounts(NamedTuple):
    """Counts by line (an item of a problem): `problem` (its row) and `item`; `n` and `c` of shape (lines, runs)."""

    problem: Ints
    item: Ints
    n: Ints
    c: Ints

    def by_problem(self) -> tuple[Ints, Ints]:
        """Return (n, c) over all items, of shape (problems, runs)."""
        starts = np.flatnonzero(self.item == 0)
        if not starts.size:
            return self.n, self.c
        return np.add.reduceat(self.n, starts, axis=0), np.add.reduceat(self.c, starts, axis=0)


class RunningTotals(NamedTuple):
    """Totals over the days before a point in time, by run; the second axis from the end is the point.

    `rates` (sums of pass rates) and `graded` (numbers of problems) are by level, too, `total` and `problems` over all
    levels; `squares` sums squared pass rates over problems; `moments` sums (S^2, S N, N^2) and `contests` counts over
    contests, where S is a contest's sum of rates and N > 0 its graded problems.
    """

    rates: Floats
    graded: Floats
    total: Floats
    problems: Floats
    squares: Floats
    moments: Floats
    contests: Floats


class Shard(NamedTuple):
    """Counts by (line, run), where a line is one item of a problem, and all sums derived from them.

    Sums are by (level, block, run), and over levels by (block, run), as in `RunningTotals`. `ease`, of shape (2,
    problems), holds the sum of all runs' pass rates and the number of runs. `running` are totals from the shard's first
    day, before each of its days and after the last. `rollup` are sums over the whole shard by platform and level.
    `digest` identifies `n` and `c`.
    """

    n: Counts
    c: Counts
    rates: Floats
    graded: Singles
    squares: Floats
    total: Floats
    problems: Singles
    ease: Floats
    running: RunningTotals
    rollup: Rollup
    digest: str


def derive_shard(axes: Axes, span: Span, items: Ints, n: Counts, c: Counts) -> Shard:
    """Return the shard over `span` with these counts; `items` are the numbers of lines of its problems."""
    rate, graded = pass_rates(items, n, c)
    within = axes.block_levels[:, span.block : span.block_end].T.ravel()
    rates, counts, squares = (
        _sums(values, within, len(axes.levels)) for values in (rate, graded.astype(np.float64), rate * rate)
    )
    total, count = rates.sum(axis=0), counts.sum(axis=0)
    days = axes.day_start[span.day : span.day_end] - span.block
    running = RunningTotals(
        rates=_cumulate(rates, days),
        graded=_cumulate(counts, days),
        total=_cumulate(total, days),
        problems=_cumulate(count, days),
        squares=_cumulate(squares.sum(axis=0), days),
        moments=_cumulate(np.stack([total * total, total * count, count * count]), days),
        contests=_cumulate((count > 0).astype(np.float64), days),
    )
    digest = hashlib.sha256(items.tobytes() + n.tobytes() + c.tobytes()).hexdigest()
    graded_singles, count_singles = (values.astype(np.float32) for values in (counts, count))
    ease = np.stack([rate.sum(axis=1), graded.sum(axis=1, dtype=np.float64)])
    rollup = rollups.roll_up(axes, span, rates, counts, squares)
    return Shard(n, c, rates, graded_singles, squares, total, count_singles, ease, running, rollup, digest)


def pass_rates(items: Ints, n: Counts, c: Counts) -> ProblemRates:
    """Return each problem's mean over graded items of c/n; lines of one problem are adjacent."""
    rate, graded = c / np.maximum(n, 1), n > 0  # c is 0 if n is
    if items.size == len(n):
        return ProblemRates(rate, graded)
    starts = np.cumsum(items) - items
    total, count = np.add.reduceat(rate, starts, axis=0), np.add.reduceat(graded, starts, axis=0, dtype=np.int64)
    return ProblemRates(np.divide(total, count, out=np.zeros(total.shape), where=count > 0), count > 0)


def _sums(values: Floats, lengths: Ints, levels: int) -> Floats:
    """Return sums of adjacent problems, `lengths` at a time (by block, then level), by (level, block, run)."""
    sums = np.zeros((lengths.size, values.shape[1]))
    some = np.flatnonzero(lengths)
    sums[some] = np.add.reduceat(values, (np.cumsum(lengths) - lengths)[some], axis=0)
    return np.ascontiguousarray(sums.reshape(lengths.size // levels, levels, values.shape[1]).transpose(1, 0, 2))


def _cumulate(by_block: Floats, days: Ints) -> Floats:
    by_day = np.add.reduceat(by_block, days, axis=-2)
    start = np.zeros((*by_day.shape[:-2], 1, by_day.shape[-1]))
    return np.concatenate([start, np.cumsum(by_day, axis=-2)], axis=-2)


def totals_before_shards(shards: tuple[Shard, ...], empty: RunningTotals) -> tuple[RunningTotals, ...]:
    """Return the totals before each shard, which make its running totals count from the first day of all."""
    points = [empty]
    for shard in shards[:-1]:
        points.append(
            RunningTotals(*(earlier + own[..., -1, :] for earlier, own in zip(points[-1], shard.running, strict=True)))
        )
    return tuple(points[: len(shards)])


def zero_totals(levels: int, runs: int) -> RunningTotals:
    """Return totals over no days, without the axis of points in time."""
    return RunningTotals(
        rates=np.zeros((levels, runs)),
        graded=np.zeros((levels, runs)),
        total=np.zeros(runs),
        problems=np.zeros(runs),
        squares=np.zeros(runs),
        moments=np.zeros((3, runs)),
        contests=np.zeros(runs),
    )


def shard_shapes(axes: Axes, span: Span, lines: int) -> tuple[tuple[tuple[int, ...], type[np.generic]], ...]:
    """Return shape and type of a shard's arrays, `running` and `rollup` last: the contents of its file."""
    runs, levels = len(axes.runs), len(axes.levels)
    block, day = (span.block_end - span.block, runs), (span.day_end - span.day + 1, runs)
    return (
        ((lines, runs), np.uint16),
        ((lines, runs), np.uint16),
        ((levels, *block), np.float64),
        ((levels, *block), np.float32),
        ((levels, *block), np.float64),
        (block, np.float64),
        (block, np.float32),
        ((2, span.row_end - span.row), np.float64),
        ((levels, *day), np.float64),
        ((levels, *day), np.float64),
        (day, np.float64),
        (day, np.float64),
        (day, np.float64),
        ((3, *day), np.float64),
        (day, np.float64),
        *rollups.rollup_shapes(axes),
    )
