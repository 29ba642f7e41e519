"""Comparison of every run with one reference run, on the problems that both have."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.seen_problems import SeenProblems
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Ints
from app.domain.cube.cube import Cube
from app.domain.metrics.distributions import two_sided_p
from app.domain.metrics.intervals import Floats, IntervalBounds, agreed_p, difference_bounds, rounding_variance


class PairedDifferences(NamedTuple):
    """Mean differences of pass rates, one per compared column.

    `bounds` are their intervals, `p` two-sided p values; they are over `n` problems of `contests` contests.
    """

    mean: Floats
    bounds: IntervalBounds
    p: Floats
    n: Ints
    contests: Ints


@dataclass
class _DifferenceSums:
    """Sums and counts of differences by contest, of shape (contests, columns); sums of squares by column."""

    difference: Floats
    common: Floats
    squares: Floats

    @classmethod
    def zero(cls, contests: int, columns: int) -> "_DifferenceSums":
        """Return empty sums."""
        return cls(np.zeros((contests, columns)), np.zeros((contests, columns)), np.zeros(columns))

    def add(self, contest: Ints, difference: Floats, both: NDArray[np.bool_]) -> None:
        """Add one line for each problem; pairs outside `both` do not count."""
        gaps = np.where(both, difference, 0.0)
        self.squares += np.square(gaps).sum(axis=0)
        # Problems of one contest are neighbours unless it spans several days.
        distinct, start = np.unique(contest, return_index=True)
        if np.all(np.diff(contest) >= 0):
            self.difference[distinct] += np.add.reduceat(gaps, start, axis=0)
            self.common[distinct] += np.add.reduceat(both, start, axis=0, dtype=np.float64)
        else:
            np.add.at(self.difference, contest, gaps)
            np.add.at(self.common, contest, both)

    def means(self) -> PairedDifferences:
        """Return their means with contest-clustered t intervals, as `metrics.paired_difference` does for one column."""
        common = self.common
        n, contests = common.sum(axis=0), np.count_nonzero(common, axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = self.difference.sum(axis=0) / n
            spread = np.square(self.difference - mean * common).sum(axis=0) * contests / np.maximum(contests - 1, 1)
            variance = np.where(contests > 1, spread / n**2, np.nan)
            variance[variance <= rounding_variance(self.squares, n)] = 0.0
        bounds = difference_bounds(mean, variance, contests)
        # A column without a common problem is not a test of Holm's family.
        p = np.where(contests > 0, agreed_p(mean, contests), np.nan)
        varied = np.flatnonzero((contests > 1) & (variance > 0))
        p[varied] = two_sided_p(mean[varied] / np.sqrt(variance[varied]), contests[varied] - 1)
        return PairedDifferences(mean, bounds, p, n.astype(np.int64), contests)


def differences_to(
    cube: Cube, selection: Selection, reference: int, columns: Ints, seen: SeenProblems | None = None
) -> PairedDifferences:
    """Return the mean difference of each column to the column `reference`, with contest-clustered t intervals.

    Equals `metrics.paired_difference` of the two columns; nan if a run has no problem in common. With `seen`, each
    column is compared over the problems that neither model may have seen.
    """
    codes, contest = np.unique(cube.axes.cluster[selection.chosen], return_inverse=True)
    sums = _DifferenceSums.zero(codes.size, columns.size)
    for rows, (rate, graded) in cube.pass_rates(np.flatnonzero(selection.chosen)):
        here, contest = contest[: rows.size], contest[rows.size :]
        both = graded[:, columns] & graded[:, [reference]]
        if seen is not None:
            both &= seen.clean(rows, columns) & seen.clean(rows, np.array([reference]))
        sums.add(here, rate[:, columns] - rate[:, [reference]], both)
    return sums.means()


def paired_differences(difference: Floats, clusters: Ints) -> PairedDifferences:
    """Return the mean of each column of `difference`: one line for each problem, nan if a side is missing.

    Equals `metrics.paired_difference` of each column; nan if a column has no problem.
    """
    codes, contest = np.unique(clusters, return_inverse=True)
    sums = _DifferenceSums.zero(codes.size, difference.shape[1])
    sums.add(contest, difference, ~np.isnan(difference))
    return sums.means()


class SharedRates(NamedTuple):
    """Pass rates of runs, one column each, on the problems that all of them have, and the rows of these in the cube."""

    rows: Ints
    rates: Floats


def shared_rates(cube: Cube, selection: Selection, columns: Ints, seen: SeenProblems | None = None) -> SharedRates:
    """Return some columns problem by problem; of two, those that `differences_to` compares."""
    shape = (0, columns.size)
    rows, rate, graded = np.zeros(0, np.int64), np.zeros(shape), np.zeros(shape, dtype=bool)
    for inside, part in cube.pass_rates(np.flatnonzero(selection.chosen), columns):
        rows = np.concatenate([rows, inside])
        rate, graded = np.concatenate([rate, part.rate]), np.concatenate([graded, part.graded])
    every = graded.all(axis=1)
    if seen is not None:
        every &= seen.clean(rows, columns).all(axis=1)
    return SharedRates(rows[every], rate[every])
