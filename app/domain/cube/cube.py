"""The cube: every run's results on every problem of one protocol, laid out so that any board is a few array sums.

(n, c) by (problem, item) and run are the source data; sums by contest and running totals by day are derived from them,
shard by shard. A board over a plain window is a difference of running totals by day; any other filter is a difference
of running totals by shard, platform and level, plus a sum over the contests at the edges. A shard is always derived
whole, so an updated cube has the same bytes as one built anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.cube.axes import SHARD_BLOCKS, Axes, Ints
from app.domain.cube.facts import Cell, RunFact
from app.domain.cube.incomplete_cells import IncompleteCells, merge_cells, move_cells
from app.domain.cube.rollups import Floats, Rollup, accumulate_rollups
from app.domain.cube.shards import (
    ItemCounts,
    OwnTestResults,
    ProblemRates,
    RunningTotals,
    Shard,
    derive_shard,
    pass_rates,
    totals_before_shards,
    zero_totals,
)  # fmt: skip
from app.domain.metrics.estimates import Ease
from app.domain.problems import ProblemFact

_MAX_COUNT = np.iinfo(np.uint16).max


class CellArrays(NamedTuple):
    """Many cells: one array for each field of a `Cell`."""

    run: Ints
    problem: Ints
    n: Ints
    c: Ints
    pending: Ints
    judge_errors: Ints
    item: Ints

    def at(self, mask: NDArray[np.bool_]) -> "CellArrays":
        """Return only the cells where `mask`."""
        return CellArrays(*(values[mask] for values in self))


@dataclass(frozen=True)
class Cube:
    """An immutable cube; `with_cells` returns the next one. Arrays may be memory maps.

    `items` holds the number of lines of each problem: one more than its highest item.
    """

    axes: Axes
    revision: int
    items: Ints
    incomplete_cells: IncompleteCells
    shards: tuple[Shard, ...]

    @classmethod
    def build(
        cls,
        problems: Sequence[ProblemFact],
        runs: Sequence[RunFact],
        cells: Iterable[Cell],
        revision: int,
        shard_blocks: int = SHARD_BLOCKS,
    ) -> "Cube":
        """Return a cube over these problems and runs; cells of others are ignored.

        The last of several equal cells counts. Raises ValueError on impossible counts and on duplicate ids.
        """
        axes = Axes.of(problems, [run.id for run in runs], shard_blocks)
        changes, items = _read_changes(axes, cells), _one_item_each(axes)
        np.maximum.at(items, changes.problem, changes.item + 1)
        n, c = (np.zeros((int(items.sum()), len(axes.runs)), dtype=np.uint16) for _ in range(2))
        lines = (np.cumsum(items) - items)[changes.problem] + changes.item
        n[lines, changes.run], c[lines, changes.run] = changes.n, changes.c
        cube = cls._of_lines(axes, items, n, c)
        incomplete = merge_cells(cube.incomplete_cells, _incomplete_cells(changes), len(axes.runs))
        return replace(cube, revision=revision, incomplete_cells=incomplete)

    @classmethod
    def of_arrays(
        cls, problems: Sequence[ProblemFact], runs: Sequence[RunFact], chunks: Iterable[CellArrays], revision: int
    ) -> "Cube":
        """Return a cube of unique cells, given as arrays: it takes seconds for twenty million."""
        axes = Axes.of(problems, [run.id for run in runs])
        n, c = (np.zeros((len(axes.problems), len(axes.runs)), dtype=np.uint16) for _ in range(2))
        others: list[CellArrays] = []
        for chunk in chunks:
            row, column = axes.rows_or_none(chunk.problem), axes.columns_of(chunk.run)
            inside = (row >= 0) & (column >= 0)
            _check_counts(chunk.n[inside], chunk.c[inside])
            first = inside & (chunk.item == 0)
            n[row[first], column[first]], c[row[first], column[first]] = chunk.n[first], chunk.c[first]
            others.append(chunk.at(inside & ((chunk.item != 0) | (chunk.pending > 0) | (chunk.judge_errors > 0))))
        rest = (Cell(*values) for other in others for values in zip(*(field.tolist() for field in other), strict=True))
        return cls._of_lines(axes, _one_item_each(axes), n, c).with_cells(rest, revision)

    @classmethod
    def of_counts(
        cls, problems: Sequence[ProblemFact], runs: Sequence[RunFact], n: NDArray[Any], c: NDArray[Any], revision: int
    ) -> "Cube":
        """Return a cube of one item per problem from whole arrays of shape (problems, runs), in the given order."""
        _check_counts(n, c)
        axes = Axes.of(problems, [run.id for run in runs])
        lines, columns = [axes.row[problem.id] for problem in problems], [axes.column[run.id] for run in runs]
        ordered = [np.zeros((len(problems), len(runs)), dtype=np.uint16) for _ in (n, c)]
        for target, counts in zip(ordered, (n, c), strict=True):
            target[np.ix_(lines, columns)] = counts
        return replace(cls._of_lines(axes, _one_item_each(axes), *ordered), revision=revision)

    @classmethod
    def _of_lines(cls, axes: Axes, items: Ints, n: NDArray[np.uint16], c: NDArray[np.uint16]) -> "Cube":
        none = np.zeros(0, dtype=np.int64)
        edges = np.append(0, np.cumsum(items))
        shards = tuple(
            derive_shard(axes, span, items[span.row : span.row_end], n[lines], c[lines])
            for span in axes.spans
            for lines in (slice(edges[span.row], edges[span.row_end]),)
        )
        return cls(axes, 0, items, IncompleteCells(none, none, none, none, none), shards)

    def with_axes(self, problems: Sequence[ProblemFact], runs: Sequence[RunFact]) -> "Cube":
        """Return the same cells over other problems and runs; new ones have none until `with_cells` adds them.

        Raises ValueError if a run is gone, since some items may have existed through it alone.
        """
        axes = Axes.of(problems, [run.id for run in runs], self.axes.shard_blocks)
        if axes == self.axes:
            return self
        columns = axes.columns_of(self.axes.run_ids)
        if np.any(columns < 0):
            raise ValueError("a run is gone")
        was = self.axes.rows_or_none(axes.ids)
        stayed = np.flatnonzero(was >= 0)
        items = _one_item_each(axes)
        items[stayed] = self.items[was[stayed]]
        lines = _expand_ranges((np.cumsum(items) - items)[stayed], items[stayed])
        old_lines = _expand_ranges((np.cumsum(self.items) - self.items)[was[stayed]], items[stayed])
        counts = [np.zeros((int(items.sum()), len(axes.runs)), dtype=np.uint16) for _ in range(2)]
        for target, old in zip(
            counts, ([shard.n for shard in self.shards], [shard.c for shard in self.shards]), strict=True
        ):
            if stayed.size:
                target[lines[:, None], columns] = np.concatenate(old)[old_lines]
        cube = self._of_lines(axes, items, *counts)
        return replace(cube, revision=self.revision, incomplete_cells=move_cells(self.incomplete_cells, was, columns))

    def with_cells(self, cells: Iterable[Cell], revision: int) -> "Cube":
        """Return the cube with these cells replaced; this one does not change."""
        changes = _read_changes(self.axes, cells)
        items = self.items.copy()
        np.maximum.at(items, changes.problem, changes.item + 1)
        ends = [span.row_end for span in self.axes.spans]
        touched = np.searchsorted(ends, changes.problem, side="right")
        shards = list(self.shards)
        for place in np.unique(touched):
            shards[place] = self._changed_shard(int(place), items, changes.at(touched == place))
        return replace(
            self,
            revision=revision,
            items=items,
            incomplete_cells=merge_cells(self.incomplete_cells, _incomplete_cells(changes), len(self.axes.runs)),
            shards=tuple(shards),
        )

    def _changed_shard(self, place: int, items: Ints, changes: CellArrays) -> Shard:
        shard, span = self.shards[place], self.axes.spans[place]
        rows = slice(span.row, span.row_end)
        first = np.cumsum(items[rows]) - items[rows]
        old_lines = _expand_ranges(first, self.items[rows])
        counts = [np.zeros((int(items[rows].sum()), len(self.axes.runs)), dtype=np.uint16) for _ in range(2)]
        lines = first[changes.problem - span.row] + changes.item
        for target, old, new in zip(counts, (shard.n, shard.c), (changes.n, changes.c), strict=True):
            target[old_lines] = old
            target[lines, changes.run] = new
        return derive_shard(self.axes, span, items[rows], *counts)

    @cached_property
    def before(self) -> tuple[RunningTotals, ...]:
        """By shard, the totals over all days before it."""
        return totals_before_shards(self.shards, zero_totals(len(self.axes.levels), len(self.axes.runs)))

    @cached_property
    def by_day(self) -> Floats:
        """Sums of pass rates before each of `axes.days` and after the last, by run."""
        rates = np.zeros((self.axes.days.size + 1, len(self.axes.runs)))
        for span, shard, earlier in zip(self.axes.spans, self.shards, self.before, strict=True):
            np.add(shard.running.total[1:], earlier.total, out=rates[span.day + 1 : span.day_end + 1])
        return rates

    @cached_property
    def rollups(self) -> Rollup:
        """Running totals over shards, by platform and level."""
        return accumulate_rollups(self.axes, [shard.rollup for shard in self.shards])

    @cached_property
    def ease(self) -> Ease:
        """By problem: the sum of all runs' pass rates, the number of runs graded on it, and the sum of their means."""
        rates, runs = np.concatenate([np.zeros((2, 0)), *(shard.ease for shard in self.shards)], axis=1)
        expected = [np.zeros(0)]
        for span, shard in zip(self.axes.spans, self.shards, strict=True):
            items, graded = self.items[span.row : span.row_end], shard.n > 0
            if items.size < len(graded):
                graded = np.logical_or.reduceat(graded, np.cumsum(items) - items, axis=0)
            expected.append(graded @ self.means)
        return Ease(rates, runs, np.concatenate(expected))

    @cached_property
    def means(self) -> Floats:
        """The mean pass rate over all graded problems, by run; 0 if there are none."""
        rates, graded = np.zeros((2, len(self.axes.runs)))
        for shard in self.shards:
            rates += shard.total.sum(axis=0)
            graded += shard.problems.sum(axis=0)
        return np.divide(rates, graded, out=rates, where=graded > 0)

    @cached_property
    def max_answers(self) -> Ints:
        """The most answers judged on any item, by run."""
        most = np.zeros(len(self.axes.runs), dtype=np.int64)
        for shard in self.shards:
            np.maximum(most, shard.n.max(axis=0, initial=0), out=most)
        return most

    def partly_judged(self, answers: Ints) -> NDArray[np.bool_]:
        """Return flags of problems of which some run has a judged item, and one with too few `answers` (by column)."""
        key = answers.tobytes()
        if key not in self._partly_judged:
            flags = np.zeros(len(self.axes.problems), dtype=bool)
            single = answers.max(initial=1) == 1
            for span, shard in zip(self.axes.spans, self.shards, strict=True):
                items = self.items[span.row : span.row_end]
                if single and items.size == len(shard.n):
                    continue  # each judged item has its one answer
                some, short = shard.n > 0, shard.n < answers
                if items.size < len(shard.n):
                    starts = np.cumsum(items) - items
                    some, short = (np.logical_or.reduceat(values, starts, axis=0) for values in (some, short))
                flags[span.row : span.row_end] = (some & short).any(axis=1)
            self._partly_judged[key] = flags
        return self._partly_judged[key]

    @cached_property
    def _partly_judged(self) -> dict[bytes, NDArray[np.bool_]]:
        return {}

    def pass_rates(self, rows: Ints, columns: Ints | None = None) -> Iterator[tuple[Ints, ProblemRates]]:
        """Yield (rows, their pass rates), shard by shard, for ascending `rows`; of all runs, or of some columns."""
        edges = np.searchsorted(rows, [*(span.row for span in self.axes.spans), len(self.axes.problems)]).tolist()
        for span, shard, (low, high) in zip(self.axes.spans, self.shards, pairwise(edges), strict=True):
            if low < high:
                inside = rows[low:high]
                items, offsets = self.items[span.row : span.row_end], inside - span.row
                lines = offsets
                if items.size < len(shard.n):
                    lines = _expand_ranges((np.cumsum(items) - items)[offsets], items[offsets])
                yield inside, pass_rates(items[offsets], *_counts_of(shard, lines, columns))

    def results_on_tests_by(self, vendors: tuple[str, ...], columns: Ints) -> OwnTestResults:
        """Return some runs' results on the problems whose tests any of `vendors` made; cached for all boards."""
        key = (vendors, columns.tobytes())
        if key not in self._set_by:
            sets, place = self.axes.encoded_fact("setters")
            own = np.array([not set(vendors).isdisjoint(of) for of in sets], dtype=bool)
            rows = np.flatnonzero(own[place])
            parts = [part for _, part in self.pass_rates(rows, columns)]
            nothing = ProblemRates(np.zeros((0, columns.size)), np.zeros((0, columns.size), dtype=bool))
            self._set_by[key] = OwnTestResults(
                rows, columns, *(np.concatenate(part) for part in zip(nothing, *parts, strict=True))
            )
        return self._set_by[key]

    @cached_property
    def _set_by(self) -> dict[tuple[tuple[str, ...], bytes], OwnTestResults]:
        return {}

    def lines(self, rows: Ints, columns: Ints) -> ItemCounts:
        """Return the counts on each item of some problems (ascending) by some runs."""
        parts = []
        for span, shard in zip(self.axes.spans, self.shards, strict=True):
            inside = rows[(rows >= span.row) & (rows < span.row_end)]
            items = self.items[span.row : span.row_end]
            lines = _expand_ranges((np.cumsum(items) - items)[inside - span.row], items[inside - span.row])
            parts.append([counts.astype(np.int64) for counts in _counts_of(shard, lines, columns)])
        empty = np.zeros((0, columns.size), dtype=np.int64)
        n, c = (np.concatenate([empty, *(part[place] for part in parts)]) for place in range(2))
        items = self.items[rows]
        return ItemCounts(np.repeat(rows, items), _expand_ranges(np.zeros_like(rows), items), n, c)


def _counts_of(shard: Shard, lines: Ints, columns: Ints | None) -> list[NDArray[np.uint16]]:
    """Return n and c of these lines, of all runs or of some columns."""
    if columns is None:
        return [counts[lines] for counts in (shard.n, shard.c)]
    # Equals `counts[np.ix_(lines, columns)]`, in a third of the time.
    at = lines[:, None] * shard.n.shape[1] + columns
    return [counts.reshape(-1).take(at) for counts in (shard.n, shard.c)]


def _read_changes(axes: Axes, cells: Iterable[Cell]) -> CellArrays:
    """Return the last of each cell on the axes: `problem` is its row, `run` its column."""
    row, column = axes.row, axes.column
    last = {
        (column[cell.run], row[cell.problem], cell.item): (cell.n, cell.c, cell.pending, cell.judge_errors)
        for cell in cells
        if cell.problem in row and cell.run in column
    }
    table = np.array([(*key[:2], *counts, key[2]) for key, counts in last.items()], dtype=np.int64).reshape(-1, 7)
    changes = CellArrays(*table.T)
    _check_counts(changes.n, changes.c)
    if np.any(changes.item < 0):
        raise ValueError("items are numbered from 0")
    return changes


def _incomplete_cells(cells: CellArrays) -> IncompleteCells:
    return IncompleteCells(cells.problem, cells.item, cells.run, cells.pending, cells.judge_errors)


def _check_counts(n: NDArray[Any], c: NDArray[Any]) -> None:
    if np.any((c < 0) | (c > n) | (n > _MAX_COUNT)):
        raise ValueError(f"counts must satisfy 0 <= c <= n <= {_MAX_COUNT}")


def _one_item_each(axes: Axes) -> Ints:
    """Return one item for each problem."""
    return np.ones(len(axes.problems), dtype=np.int64)


def _expand_ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return start, start + 1, ... of each range of lines, one after another."""
    offsets = np.cumsum(lengths) - lengths
    return np.repeat(starts - offsets, lengths) + np.arange(int(lengths.sum()))
