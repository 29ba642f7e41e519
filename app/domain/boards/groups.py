"""Results of rows by contest, or by groups of neighbouring contests if there are very many.

Two rows are compared by contest. On a board of more than `MAX_GROUPS` contests and too many results to read, they are
compared by at most that many groups instead: runs of neighbouring contests, and in long filtered windows halves of the
cube's shards (`boards.totals`), if these amount to at least 32 of one size. Contests are independent, so sums over
groups of them are too: a standard error over 64 groups is within 9 % of one over thousands of contests, over 32 within
12 %, which their t quantiles allow for, at a cost that does not grow with the window.
"""

from typing import NamedTuple

import numpy as np

from app.domain.boards.blocks import add_lines
from app.domain.boards.selection import Selection
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats, Ints

MAX_GROUPS = 64
# Beyond this many, figures that need every result of their rows are omitted or computed from sums.
MAX_RESULTS_READ = 250_000


class GroupSums(NamedTuple):
    """Sums of pass rates by group, of shape (groups, rows), and the number of selected problems in each group."""

    sums: Floats
    problems: Floats

    def take(self, rows: Ints) -> "GroupSums":
        """Return the sums of some rows."""
        return GroupSums(self.sums.take(rows, axis=1), self.problems)


def groups_of(days: Ints) -> Ints:
    """Return the group of each contest, from 0 without gaps, given the contests' days in ascending order.

    Up to `MAX_GROUPS` contests are a group each; more are cut between days into runs of about equal length.
    """
    if days.size <= MAX_GROUPS:
        return np.arange(days.size)
    first_of_day = np.searchsorted(days, days, side="left")
    _, dense = np.unique(first_of_day * MAX_GROUPS // days.size, return_inverse=True)
    return dense.astype(np.int64)


def contest_sums(cube: Cube, selection: Selection, groups: GroupSums, rows: Ints, columns: Ints) -> GroupSums:
    """Return the sums of some rows of `groups`, which are `columns` of the cube.

    They are by contest if that is not too much to read, else by the existing groups.
    """
    problem = np.flatnonzero(selection.chosen)
    if len(groups.problems) == selection.contests or problem.size * columns.size > MAX_RESULTS_READ:
        return groups.take(rows)
    codes, contest = np.unique(cube.axes.cluster[problem], return_inverse=True)
    sums, problems = np.zeros((codes.size, columns.size)), np.bincount(contest)
    for inside, (rate, _) in cube.pass_rates(problem, columns):
        here, contest = contest[: inside.size], contest[inside.size :]
        add_lines(sums, here, rate)
    return GroupSums(sums, problems.astype(np.float64))
