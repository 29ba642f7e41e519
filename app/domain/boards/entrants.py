"""Which runs stand on a board, and which are left out, each with the reason."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Exposure, HiddenRow, Rules
from app.domain.boards.lineup import NEVER, Lineup, hide
from app.domain.boards.selection import Selection
from app.domain.boards.totals import Totals, totals
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats, Ints

# The least share of the problems selected that a row with a rank covers.
MIN_COVERAGE = 0.95

Wanted = Mapping[int, Collection[int] | NDArray[np.int64]]


@dataclass(frozen=True)
class Entrants:
    """The runs shown, by ascending id: `places` in the line-up, `columns` in the cube; all arrays run beside them.

    `wanted` counts the selected problems that a run should have answers for, in split mode the clean ones of them;
    `whole` all that are selected, in split mode those clean for the run. `exposed` counts those of the wanted that its
    model may have seen, `unfit` says that it has no rank for that reason.
    `totals` are over all selected problems, in split mode over the clean ones; `covered` is their number of graded
    problems, where one of which only some items were graded is a part of one.
    """

    lineup: Lineup
    places: Ints
    columns: Ints
    exposed: Ints
    unfit: NDArray[np.bool_]
    wanted: Ints
    whole: Ints
    covered: Floats
    totals: Totals

    @property
    def share(self) -> Floats:
        """The part of `whole` that each is graded on."""
        return _share(self.covered, self.whole)

    def of(self, mask: NDArray[np.bool_]) -> "Entrants":
        """Only those where `mask`."""
        if mask.all():
            return self
        at = np.flatnonzero(mask)
        return Entrants(
            self.lineup,
            self.places[at],
            self.columns[at],
            self.exposed[at],
            self.unfit[at],
            self.wanted[at],
            self.whole[at],
            self.covered[at],
            self.totals.take(at),
        )


def entrants(
    cube: Cube, selection: Selection, lineup: Lineup, query: BoardQuery, wanted: Wanted
) -> tuple[Entrants, tuple[HiddenRow, ...]]:
    """The runs of the line-up that stand on the board, and the others: older trials, filtered, exposed, unjudged.

    Of several trials the newest that anything is judged of stands there. One of ours that covers less than a rank
    takes gives way to an older one that covers it: nobody loses a row by ordering a run of a few problems.
    """
    reasons = lineup.filtered(query)
    listed = np.ones(len(lineup.runs), dtype=bool)
    listed[list(reasons)] = False
    column = cube.axes.columns_of(lineup.ids)
    places = np.flatnonzero(listed & (column >= 0))
    columns = column[places]
    cutoff = lineup.cutoff[places]
    split = query.exposure is Exposure.SPLIT
    problem_counts, exposed = _problem_counts(cube, selection, lineup.ids[places], wanted, cutoff, split=split)
    unfit = exposed > 0
    if query.rules is Rules.LCB:
        unfit = cutoff >= selection.opening
    sums = totals(cube, selection, _days_seen(cube, columns, cutoff) if split else None).take(columns)
    whole = _whole(selection, cutoff, split=split)
    covered = sums.n - _lacking(cube, selection, columns, cutoff, split=split)
    judged = sums.whole.graded.sum(axis=0) > 0
    older = _older(lineup, places, _share(covered, whole) >= MIN_COVERAGE, judged)
    for place in places[older].tolist():
        reasons[place] = "older_trial"
    judged &= ~older
    hidden_as_exposed = judged & unfit & (query.exposure is Exposure.HIDE)
    for place in places[hidden_as_exposed].tolist():
        reasons[place] = "exposure"
    listed[places[judged | older]] = False
    for place in np.flatnonzero(listed).tolist():
        reasons[place] = "unjudged"
    field = Entrants(
        lineup=lineup,
        places=places,
        columns=columns,
        exposed=exposed,
        unfit=unfit,
        wanted=problem_counts,
        whole=whole,
        covered=covered,
        totals=sums,
    ).of(judged & ~hidden_as_exposed)
    hidden = (hide(lineup.runs[place], reason) for place, reason in sorted(reasons.items()))
    return field, tuple(hidden)


def _older(lineup: Lineup, places: Ints, covers: NDArray[np.bool_], judged: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the runs at `places` are trials that another one stands for."""
    full, tried, listed = np.zeros((3, len(lineup.runs)), dtype=bool)
    full[places], tried[places], listed[places] = covers | lineup.imported[places], judged, True
    latest = lineup.last(lineup.age, full, tried, listed)
    older = listed.copy()
    older[latest] = False
    flags: NDArray[np.bool_] = older[places]
    return flags


def _lacking(cube: Cube, selection: Selection, columns: Ints, cutoff: Ints, *, split: bool) -> Floats:
    """What each run lacks of the problems it is graded on, in parts of a problem: their items without a verdict."""
    rows = np.flatnonzero(selection.chosen & (cube.items > 1))
    if not rows.size:
        return np.zeros(columns.size)
    lines, items = cube.lines(rows, columns), cube.items[rows][:, None]
    graded = np.add.reduceat((lines.n > 0).astype(np.int64), np.flatnonzero(lines.item == 0), axis=0)
    part = np.where(graded > 0, 1 - graded / items, 0.0)
    if split:
        part *= cube.axes.day[rows][:, None] > cutoff
    lacking: Floats = np.round(part.sum(axis=0), 9)  # so that three thirds are one
    return lacking


def _share(covered: Floats, whole: Ints) -> Floats:
    shares: Floats = np.divide(covered, whole, out=np.zeros(whole.shape), where=whole > 0)
    return shares


def _whole(selection: Selection, cutoff: Ints, *, split: bool) -> Ints:
    """How many problems a row is measured by: the selected ones, with `split` those its model cannot have seen."""
    exposures = (
        np.searchsorted(selection.days, cutoff, side="right") if split else np.zeros(cutoff.size, dtype=np.int64)
    )
    whole: Ints = selection.days.size - exposures
    return whole


def _days_seen(cube: Cube, columns: Ints, cutoff: Ints) -> Ints:
    days = np.full(len(cube.axes.runs), NEVER, dtype=np.int64)
    days[columns] = cutoff
    return days


def _problem_counts(
    cube: Cube, selection: Selection, ids: Ints, wanted: Wanted, cutoff: Ints, *, split: bool
) -> tuple[Ints, Ints]:
    """How many selected problems each run should have answers for, and how many of them its model may have seen.

    With `split` the first leaves the second out.
    """
    exposed = np.searchsorted(selection.days, cutoff, side="right")
    counts = np.full(ids.size, selection.days.size, dtype=np.int64)
    for place, run in enumerate(ids.tolist() if wanted else ()):
        if run in wanted:
            rows = cube.axes.rows_of(wanted[run])
            rows = rows[selection.chosen[rows]]
            counts[place] = rows.size
            exposed[place] = np.count_nonzero(cube.axes.day[rows] <= cutoff[place])
    return (counts - exposed if split else counts), exposed
