"""Every run against one reference run, on the problems that both have."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.seen import Seen
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Ints
from app.domain.cube.cube import Cube
from app.domain.metrics.distributions import two_sided
from app.domain.metrics.intervals import Bounds, Floats, agreed_p, difference_bounds, rounding


class Paired(NamedTuple):
    """Mean differences as pass rates, their intervals and two-sided p values, and over how many problems of how many
    contests they are; one per column compared."""

    mean: Floats
    bounds: Bounds
    p: Floats
    n: Ints
    contests: Ints


@dataclass
class _Sums:
    """Sums of differences by contest, and how many there are, of shape (contests, columns); their squares by column."""

    difference: Floats
    common: Floats
    squares: Floats

    @classmethod
    def none(cls, contests: int, columns: int) -> "_Sums":
        """Return sums of nothing."""
        return cls(np.zeros((contests, columns)), np.zeros((contests, columns)), np.zeros(columns))

    def add(self, contest: Ints, difference: Floats, both: NDArray[np.bool_]) -> None:
        """Add a line for each problem; what is not in `both` is no difference."""
        gaps = np.where(both, difference, 0.0)
        self.squares += np.square(gaps).sum(axis=0)
        # Problems of one contest are neighbours but for those that lie on several days.
        distinct, start = np.unique(contest, return_index=True)
        if np.all(np.diff(contest) >= 0):
            self.difference[distinct] += np.add.reduceat(gaps, start, axis=0)
            self.common[distinct] += np.add.reduceat(both, start, axis=0, dtype=np.float64)
        else:
            np.add.at(self.difference, contest, gaps)
            np.add.at(self.common, contest, both)

    def paired(self) -> Paired:
        """Return their means with contest-clustered t intervals, as `metrics.paired_difference` does for one column."""
        common = self.common
        n, contests = common.sum(axis=0), np.count_nonzero(common, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self.difference.sum(axis=0) / n
            spread = np.square(self.difference - mean * common).sum(axis=0) * contests / np.maximum(contests - 1, 1)
            variance = np.where(contests > 1, spread / n**2, np.nan)
            variance[variance <= rounding(self.squares, n)] = 0.0
        bounds = difference_bounds(mean, variance, contests)
        # What nothing compares is no test of Holm's family.
        p = np.where(contests > 0, agreed_p(mean, contests), np.nan)
        varied = np.flatnonzero((contests > 1) & (variance > 0))
        p[varied] = two_sided(mean[varied] / np.sqrt(variance[varied]), contests[varied] - 1)
        return Paired(mean, bounds, p, n.astype(np.int64), contests)


def paired_with(cube: Cube, selection: Selection, reference: int, columns: Ints, seen: Seen | None = None) -> Paired:
    """Mean difference of each column to the column `reference`, with contest-clustered t intervals.

    Equals `metrics.paired_difference` of the two columns; nan where a run has no problem in common. With `seen` each
    column is compared over the problems that neither model may have seen.
    """
    codes, contest = np.unique(cube.axes.cluster[selection.chosen], return_inverse=True)
    sums = _Sums.none(codes.size, columns.size)
    for rows, (rate, graded) in cube.pass_rates(np.flatnonzero(selection.chosen)):
        here, contest = contest[: rows.size], contest[rows.size :]
        both = graded[:, columns] & graded[:, [reference]]
        if seen is not None:
            both &= seen.clean(rows, columns) & seen.clean(rows, np.array([reference]))
        sums.add(here, rate[:, columns] - rate[:, [reference]], both)
    return sums.paired()


def paired_differences(difference: Floats, clusters: Ints) -> Paired:
    """Return the mean of each column of `difference`, a line for each problem, nan where a side is missing.

    Equals `metrics.paired_difference` of each column; nan where a column has no problem.
    """
    codes, contest = np.unique(clusters, return_inverse=True)
    sums = _Sums.none(codes.size, difference.shape[1])
    sums.add(contest, difference, ~np.isnan(difference))
    return sums.paired()


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
