"""Gaps of rows to a part of their board on the same problems: mean differences with intervals."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from app.domain.boards import pass_at
from app.domain.boards.board import Board, PairedGap
from app.domain.boards.comparison import paired_differences
from app.domain.boards.groups import MAX_RESULTS_READ
from app.domain.boards.lineup import Lineup
from app.domain.boards.named_boards import ScorePart
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Ints
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats

# With more results there are no gaps, since they would take too long.
MAX_RESULTS: Final = 20 * MAX_RESULTS_READ


class BoardSource(NamedTuple):
    """A board with its cube and line-up."""

    board: Board
    cube: Cube
    lineup: Lineup


def paired_gaps(
    one: BoardSource, other: BoardSource, part: ScorePart, max_results: int = MAX_RESULTS
) -> dict[tuple[str, str], PairedGap]:
    """Return the gap of each row of `one` to its part on the board `other`, by model and configuration.

    Gaps are over the problems judged for both, with contests as clusters; over problems of one contest there is no
    interval. Rows without a part or a common problem are left out, and all rows if more than `max_results` results
    would have to be read.
    """
    beside = {(row.model, row.configuration): row.run for row in other.board.rows}
    both = [(row, beside[part.key(row)]) for row in one.board.rows if part.key(row) in beside]
    ids = np.intersect1d(_selected_problems(one), _selected_problems(other))
    if not both or not ids.size or ids.size * len(both) > max_results:
        return {}
    clusters = one.cube.axes.cluster[one.cube.axes.rows_or_none(ids)]
    by_model = {}
    at_once = max(1, MAX_RESULTS_READ // ids.size)
    for start in range(0, len(both), at_once):
        rows, runs = zip(*both[start : start + at_once], strict=True)
        ours = _pass_rates(one, ids, [row.run for row in rows])
        gaps = paired_differences(ours - _pass_rates(other, ids, runs, part.k), clusters)
        values = (100 * gaps.mean, 100 * gaps.bounds.lo, 100 * gaps.bounds.hi, gaps.n, gaps.contests)
        for row, mean, lo, hi, n, contests in zip(rows, *(column.tolist() for column in values), strict=True):
            if n:
                has_interval = contests > 1
                key = row.model, row.configuration
                by_model[key] = PairedGap(mean, lo if has_interval else None, hi if has_interval else None, n)
    return by_model


def _selected_problems(side: BoardSource) -> Ints:
    return side.cube.axes.ids[Selection.of(side.cube.axes, side.board.query).chosen]


def _pass_rates(side: BoardSource, ids: Ints, runs: Sequence[int], k: int = 0) -> Floats:
    """Return pass rates, or pass@k, of shape (problems, runs).

    nan if nothing is judged or, in split mode, the model may have seen the problem.
    """
    axes = side.cube.axes
    rows, columns = axes.rows_or_none(ids), axes.columns_of(np.array(runs, dtype=np.int64))
    order = np.argsort(rows)
    rates = np.empty((ids.size, columns.size))
    if k:
        rates[order] = pass_at.pass_at_of_problems(side.cube, rows[order], columns, k)
    else:
        parts = [np.where(graded, rate, np.nan) for _, (rate, graded) in side.cube.pass_rates(rows[order], columns)]
        rates[order] = np.concatenate(parts)
    if (seen := side.lineup.excluded_problems(axes, side.board.query)) is not None:
        rates[~seen.clean(rows, columns)] = np.nan
    return rates
