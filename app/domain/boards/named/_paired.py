"""The same model, configured alike, under two protocols on the same problems: the mean difference with its interval."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from app.domain.boards.board import Board, PairedGap
from app.domain.boards.groups import MOST_READ
from app.domain.boards.lineup import Lineup
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Ints
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats, paired_difference


class Side(NamedTuple):
    """A board with what it was made from."""

    board: Board
    cube: Cube
    lineup: Lineup


def paired(one: Side, other: Side) -> dict[tuple[str, str], PairedGap]:
    """By model and configuration: by how many points `one` is above `other`, over the problems judged for both.

    Contests are the clusters. Rows that only one of the boards has are left out, and all where too many results would
    have to be read.
    """
    beside = {(row.model, row.configuration): row.run for row in other.board.rows}
    both = [row for row in one.board.rows if (row.model, row.configuration) in beside]
    ids = np.intersect1d(_chosen(one), _chosen(other))
    if not both or not ids.size or ids.size * len(both) > MOST_READ:
        return {}
    ours = _rates(one, ids, [row.run for row in both])
    theirs = _rates(other, ids, [beside[row.model, row.configuration] for row in both])
    clusters = one.cube.axes.cluster[_rows(one, ids)]
    found = {}
    for place, row in enumerate(both):
        gap = paired_difference(ours[:, place], theirs[:, place], clusters)
        if gap.n:
            found[row.model, row.configuration] = PairedGap(100 * gap.mean, 100 * gap.lo, 100 * gap.hi, gap.n)
    return found


def _chosen(side: Side) -> Ints:
    return side.cube.axes.ids[Selection.of(side.cube.axes, side.board.query).chosen]


def _rows(side: Side, ids: Ints) -> Ints:
    return np.array([side.cube.axes.row[problem] for problem in ids.tolist()], dtype=np.int64)


def _rates(side: Side, ids: Ints, runs: Sequence[int]) -> Floats:
    """Pass rates of shape (problems, runs), nan where nothing is judged or, in split mode, a model may have seen it."""
    axes = side.cube.axes
    rows, columns = _rows(side, ids), axes.columns_of(np.array(runs, dtype=np.int64))
    order = np.argsort(rows)
    parts = [np.where(graded, rate, np.nan) for _, (rate, graded) in side.cube.pass_rates(rows[order], columns)]
    rates = np.empty((ids.size, columns.size))
    rates[order] = np.concatenate(parts)
    if (seen := side.lineup.kept_apart(axes, side.board.query)) is not None:
        rates[~seen.clean(rows, columns)] = np.nan
    return rates
