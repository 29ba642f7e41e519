"""Every run against one reference run, on the problems that both have."""

from typing import NamedTuple

import numpy as np

from app.domain.boards.seen import Seen
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Ints
from app.domain.cube.cube import Cube
from app.domain.metrics.distributions import two_sided
from app.domain.metrics.intervals import Bounds, Floats, agreed_p, difference_bounds, rounding


class Paired(NamedTuple):
    """Mean differences as pass rates, their intervals and two-sided p values, one per column compared."""

    mean: Floats
    bounds: Bounds
    p: Floats


def paired_with(cube: Cube, selection: Selection, reference: int, columns: Ints, seen: Seen | None = None) -> Paired:
    """Mean difference of each column to the column `reference`, with contest-clustered t intervals.

    Equals `metrics.paired_difference` of the two columns; nan where a run has no problem in common. With `seen` each
    column is compared over the problems that neither model may have seen.
    """
    codes, contest = np.unique(cube.axes.cluster[selection.chosen], return_inverse=True)
    difference, common = np.zeros((2, codes.size, columns.size))
    squares = np.zeros(columns.size)
    for rows, (rate, graded) in cube.pass_rates(np.flatnonzero(selection.chosen)):
        here, contest = contest[: rows.size], contest[rows.size :]
        both = graded[:, columns] & graded[:, [reference]]
        if seen is not None:
            both &= seen.clean(rows, columns) & seen.clean(rows, np.array([reference]))
        gaps = np.where(both, rate[:, columns] - rate[:, [reference]], 0.0)
        squares += np.square(gaps).sum(axis=0)
        # Problems of one contest are neighbours but for those that lie on several days.
        distinct, start = np.unique(here, return_index=True)
        if np.all(np.diff(here) >= 0):
            difference[distinct] += np.add.reduceat(gaps, start, axis=0)
            common[distinct] += np.add.reduceat(both, start, axis=0, dtype=np.float64)
        else:
            np.add.at(difference, here, gaps)
            np.add.at(common, here, both)
    n, contests = common.sum(axis=0), np.count_nonzero(common, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = difference.sum(axis=0) / n
        spread = np.square(difference - mean * common).sum(axis=0) * contests / np.maximum(contests - 1, 1)
        variance = np.where(contests > 1, spread / n**2, np.nan)
        variance[variance <= rounding(squares, n)] = 0.0
    bounds = difference_bounds(mean, variance, contests)
    p = np.where(contests > 0, agreed_p(mean, contests), np.nan)  # what nothing compares is no test of Holm's family
    varied = np.flatnonzero((contests > 1) & (variance > 0))
    p[varied] = two_sided(mean[varied] / np.sqrt(variance[varied]), contests[varied] - 1)
    return Paired(mean, bounds, p)


class Pairs(NamedTuple):
    """Pass rates of two runs on the problems that both have, and the rows of these in the cube."""

    rows: Ints
    first: Floats
    second: Floats


def pairs(cube: Cube, selection: Selection, columns: Ints, seen: Seen | None = None) -> Pairs:
    """What `paired_with` compares of two columns, problem by problem."""
    rows, rate, graded = np.zeros(0, np.int64), np.zeros((0, 2)), np.zeros((0, 2), dtype=bool)
    for inside, part in cube.pass_rates(np.flatnonzero(selection.chosen), columns):
        rows = np.concatenate([rows, inside])
        rate, graded = np.concatenate([rate, part.rate]), np.concatenate([graded, part.graded])
    both = graded.all(axis=1)
    if seen is not None:
        both &= seen.clean(rows, columns).all(axis=1)
    return Pairs(rows[both], rate[both, 0], rate[both, 1])
