"""A row beside a part of its board, on the same problems: the mean difference with its interval."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from app.domain.boards import pass_at
from app.domain.boards.board import Board, PairedGap
from app.domain.boards.comparison import paired_differences
from app.domain.boards.groups import MOST_READ
from app.domain.boards.lineup import Lineup
from app.domain.boards.named import Part
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Ints
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats

# More results would keep a reader waiting: then there are no gaps.
MAX_RESULTS: Final = 20 * MOST_READ


class Side(NamedTuple):
    """A board with what it was made from."""

    board: Board
    cube: Cube
    lineup: Lineup


def paired(one: Side, other: Side, part: Part, max_results: int = MAX_RESULTS) -> dict[tuple[str, str], PairedGap]:
    """Return by model and configuration by how many points a row of `one` is above its part, whose board is `other`,
    over the problems judged for both.

    Contests are the clusters; over problems of one contest there is no interval. Rows without a part or a common
    problem are left out, and all where more than `max_results` results would have to be read.
    """
    beside = {(row.model, row.configuration): row.run for row in other.board.rows}
    both = [(row, beside[part.key(row)]) for row in one.board.rows if part.key(row) in beside]
    ids = np.intersect1d(_chosen(one), _chosen(other))
    if not both or not ids.size or ids.size * len(both) > max_results:
        return {}
    clusters = one.cube.axes.cluster[one.cube.axes.rows_or_none(ids)]
    found = {}
    at_once = max(1, MOST_READ // ids.size)
    for start in range(0, len(both), at_once):
        rows, runs = zip(*both[start : start + at_once], strict=True)
        ours = _rates(one, ids, [row.run for row in rows])
        gaps = paired_differences(ours - _rates(other, ids, runs, part.k), clusters)
        values = (100 * gaps.mean, 100 * gaps.bounds.lo, 100 * gaps.bounds.hi, gaps.n, gaps.contests)
        for row, mean, lo, hi, n, contests in zip(rows, *(each.tolist() for each in values), strict=True):
            if n:
                told = contests > 1
                key = row.model, row.configuration
                found[key] = PairedGap(mean, lo if told else None, hi if told else None, n)
    return found


def _chosen(side: Side) -> Ints:
    return side.cube.axes.ids[Selection.of(side.cube.axes, side.board.query).chosen]


def _rates(side: Side, ids: Ints, runs: Sequence[int], k: int = 0) -> Floats:
    """Pass rates, or pass@k, of shape (problems, runs); nan where nothing is judged or, in split mode, a model may have
    seen it."""
    axes = side.cube.axes
    rows, columns = axes.rows_or_none(ids), axes.columns_of(np.array(runs, dtype=np.int64))
    order = np.argsort(rows)
    rates = np.empty((ids.size, columns.size))
    if k:
        rates[order] = pass_at.of_problems(side.cube, rows[order], columns, k)
    else:
        parts = [np.where(graded, rate, np.nan) for _, (rate, graded) in side.cube.pass_rates(rows[order], columns)]
        rates[order] = np.concatenate(parts)
    if (seen := side.lineup.kept_apart(axes, side.board.query)) is not None:
        rates[~seen.clean(rows, columns)] = np.nan
    return rates
