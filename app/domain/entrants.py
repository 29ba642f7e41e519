"""Which runs stand on a board, and which are left out, each with the reason."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.domain.boards import BoardQuery, Exposure, HiddenRow, Rules
from app.domain.cube import Cube
from app.domain.lineup import NEVER, Lineup, hide
from app.domain.metrics import Ints
from app.domain.selection import Selection
from app.domain.totals import Totals, totals

Wanted = Mapping[int, Collection[int] | NDArray[np.int64]]


@dataclass(frozen=True)
class Entrants:
    """The runs shown, by ascending id: `places` in the line-up, `columns` in the cube; all arrays run beside them.

    `wanted` counts the selected problems that a run should have answers for, in split mode the clean ones of them;
    `exposed` those that its model may have seen, `unfit` says that it has no rank for that reason.
    `totals` are over all selected problems, in split mode over the clean ones.
    """

    lineup: Lineup
    places: Ints
    columns: Ints
    exposed: Ints
    unfit: NDArray[np.bool_]
    wanted: Ints
    totals: Totals

    def of(self, kept: NDArray[np.bool_]) -> "Entrants":
        """Only those where `kept`."""
        if kept.all():
            return self
        at = np.flatnonzero(kept)
        return Entrants(
            self.lineup,
            self.places[at],
            self.columns[at],
            self.exposed[at],
            self.unfit[at],
            self.wanted[at],
            self.totals.take(at),
        )


def entrants(
    cube: Cube, selection: Selection, lineup: Lineup, query: BoardQuery, wanted: Wanted
) -> tuple[Entrants, tuple[HiddenRow, ...]]:
    """The runs of the line-up that stand on the board, and the others: older trials, filtered, exposed, unjudged."""
    reasons = lineup.filtered(query)
    listed = np.ones(len(lineup.runs), dtype=bool)
    listed[list(reasons)] = False
    column = cube.axes.columns_of(lineup.ids)
    places = np.flatnonzero(listed & (column >= 0))
    columns = column[places]
    cutoff = lineup.cutoff[places]
    split = query.exposure is Exposure.SPLIT
    asked, exposed = _asked(cube, selection, lineup.ids[places], wanted, cutoff, split=split)
    unfit = exposed > 0
    if query.rules is Rules.LCB:
        unfit = cutoff >= selection.opening
    sums = totals(cube, selection, _days_seen(cube, columns, cutoff) if split else None).take(columns)
    judged = sums.whole.graded.sum(axis=0) > 0
    hidden_as_exposed = judged & unfit & (query.exposure is Exposure.HIDE)
    for place in places[hidden_as_exposed].tolist():
        reasons[place] = "exposure"
    listed[places[judged]] = False
    for place in np.flatnonzero(listed).tolist():
        reasons[place] = "unjudged"
    field = Entrants(
        lineup=lineup,
        places=places,
        columns=columns,
        exposed=exposed,
        unfit=unfit,
        wanted=asked,
        totals=sums,
    ).of(judged & ~hidden_as_exposed)
    hidden = (hide(lineup.runs[place], reason) for place, reason in sorted(reasons.items()))
    return field, (*lineup.older, *hidden)


def _days_seen(cube: Cube, columns: Ints, cutoff: Ints) -> Ints:
    days = np.full(len(cube.axes.runs), NEVER, dtype=np.int64)
    days[columns] = cutoff
    return days


def _asked(
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
