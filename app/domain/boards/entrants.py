"""Which runs stand on a board, and which are left out, each with the reason."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Exposure, HiddenRow, Prospective, Rules
from app.domain.boards.lineup import Lineup, hide
from app.domain.boards.seen import Seen, counted
from app.domain.boards.selection import Selection
from app.domain.boards.totals import Totals, totals
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats, Ints

# The least share of the problems selected that a row with a rank covers.
MIN_COVERAGE = 0.95

# The problems of each run's own file, by run id: LiveCodeBench's rules know of no other problems.
Wanted = Mapping[int, Collection[int] | NDArray[np.int64]]
# How many answers to each item every run should have, by run id; one where it is not named.
Samples = Mapping[int, int]


class Lacking(NamedTuple):
    """What runs lack of the problems they are graded on: `parts` of problems, and `lost`, by how much the sum of their
    pass rates is smaller where that counts as failed."""

    parts: Floats
    lost: Floats


@dataclass(frozen=True)
class Entrants:
    """The runs that stand on the board, by ascending id: `places` in the line-up, `columns` in the cube; all arrays run
    beside them.

    `shown` says which of them the filters of rows show: they are ranked among all, whatever is shown.
    `wanted` counts the selected problems that a run should have answers for, in split mode the clean ones of them;
    `whole` all that are selected, in split mode those clean for the run. `exposed` counts those of the wanted that its
    model may have seen, `unfit` says that it has no rank for that reason. `served` counts the selected problems that
    its vendor had been sent before, whoever began the run; `prospective` says that it was registered before any of the
    selected came out, and that none of these was served before. `left_out` says which of them a board that hides
    exposed rows is not about.
    `totals` are over all selected problems, in split mode over the clean ones; `covered` is their number of graded
    problems, where one of which only some items or answers were graded is a part of one; `lost` is as in `Lacking`.
    """

    lineup: Lineup
    places: Ints
    columns: Ints
    shown: NDArray[np.bool_]
    exposed: Ints
    unfit: NDArray[np.bool_]
    served: Ints
    prospective: NDArray[np.bool_]
    left_out: NDArray[np.bool_]
    wanted: Ints
    whole: Ints
    covered: Floats
    lost: Floats
    totals: Totals

    @property
    def share(self) -> Floats:
        """The part of `whole` that each is graded on."""
        return _share(self.covered, self.whole)

    @property
    def counted(self) -> Floats:
        """The part of each mean that is left where everything that the run lacks of `whole` counts as failed."""
        rates = self.totals.rates.sum(axis=0)
        kept = np.divide(rates - self.lost, rates, out=np.ones(rates.shape), where=rates > 0)
        return np.where(rates > 0, _share(self.totals.n, self.whole) * kept, self.share)

    def remaining(self) -> "Entrants":
        """Those that the board is about."""
        return self.of(~self.left_out)

    def of(self, mask: NDArray[np.bool_]) -> "Entrants":
        """Only those where `mask`."""
        if mask.all():
            return self
        at = np.flatnonzero(mask)
        return Entrants(
            self.lineup,
            self.places[at],
            self.columns[at],
            self.shown[at],
            self.exposed[at],
            self.unfit[at],
            self.served[at],
            self.prospective[at],
            self.left_out[at],
            self.wanted[at],
            self.whole[at],
            self.covered[at],
            self.lost[at],
            self.totals.take(at),
        )


def entrants(
    cube: Cube, selection: Selection, lineup: Lineup, query: BoardQuery, wanted: Wanted, samples: Samples
) -> tuple[Entrants, tuple[HiddenRow, ...]]:
    """The runs of the line-up that stand on the board, and those not shown: filtered, other trials, exposed, registered
    too late, unjudged.

    Of several trials the first that was sent a prompt stands, whatever the board asks for and however it came out. Of
    files it is the newest that anything is judged of; recorded answers that cover less than a rank takes give way to
    older ones that cover it. Every selected problem is wanted of every run, or files would choose what they are
    measured by; LiveCodeBench's rules measure a file by itself, and count no answers.
    """
    if query.rules is Rules.LCB:
        samples = {}
    else:
        wanted = {}
    filtered, reasons = lineup.filtered(query), dict[int, str]()
    shown, absent = np.ones((2, len(lineup.runs)), dtype=bool)
    shown[list(filtered)] = False
    column = cube.axes.columns_of(lineup.ids)
    places = np.flatnonzero(column >= 0)
    columns = column[places]
    seen = lineup.seen(cube.axes)
    split = query.exposure is Exposure.SPLIT
    problem_counts, exposed = _problem_counts(cube, selection, seen, lineup, places, wanted)
    unfit = exposed > 0
    if query.rules is Rules.LCB:
        unfit = lineup.cutoff[places] >= selection.opening
    sums = totals(cube, selection, seen if split else None).take(columns)
    whole = np.full(places.size, selection.days.size, dtype=np.int64)
    if split:
        problem_counts, whole = problem_counts - exposed, whole - _seen_of(selection, seen, columns)
    lacking = _lacking(cube, selection, columns, _answers(lineup, places, samples), seen if split else None)
    covered = sums.n - lacking.parts
    judged = sums.whole.graded.sum(axis=0) > 0
    other = _others(lineup, places, _share(covered, whole) >= MIN_COVERAGE, judged)
    for place in places[other].tolist():
        reasons[place] = "older_trial" if lineup.of_files[place] else "later_trial"
    judged &= ~other
    left_out = judged & unfit & (query.exposure is Exposure.HIDE)
    reasons.update(dict.fromkeys(places[left_out].tolist(), "exposure"))
    served = _served(cube, selection, lineup, places)
    prospective = (lineup.registered[places] < selection.first_released) & (served == 0)
    late = places[judged & ~prospective & (query.prospective is Prospective.ONLY)]
    shown[late] = False
    reasons.update(dict.fromkeys(late.tolist(), "not_prospective"))
    absent[places[judged | other]] = False
    reasons.update(dict.fromkeys(np.flatnonzero(absent).tolist(), "unjudged"))
    reasons.update(filtered)
    field = Entrants(
        lineup=lineup,
        places=places,
        columns=columns,
        shown=shown[places],
        exposed=exposed,
        unfit=unfit,
        served=served,
        prospective=prospective,
        left_out=left_out,
        wanted=problem_counts,
        whole=whole,
        covered=covered,
        lost=lacking.lost,
        totals=sums,
    ).of(judged)
    hidden = (hide(lineup.runs[place], reason) for place, reason in sorted(reasons.items()))
    return field, tuple(hidden)


def _others(lineup: Lineup, places: Ints, covers: NDArray[np.bool_], judged: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the runs at `places` are trials that another one stands for."""
    full, tried, listed = np.zeros((3, len(lineup.runs)), dtype=bool)
    full[places], tried[places], listed[places] = covers | lineup.imported[places], judged, True
    ours = ~lineup.of_files  # of these nothing that a board asks for may choose
    standing = lineup.last(lineup.claim, full | ours, tried | ours, listed | ours)
    others = np.ones(len(lineup.runs), dtype=bool)
    others[standing] = ~lineup.stands[standing]
    flags: NDArray[np.bool_] = others[places]
    return flags


def _answers(lineup: Lineup, places: Ints, samples: Samples) -> Ints:
    """How many answers to each item the runs at `places` should have."""
    if not samples:
        return np.ones(places.size, dtype=np.int64)
    return np.array([samples.get(run, 1) for run in lineup.ids[places].tolist()], dtype=np.int64)


def _lacking(cube: Cube, selection: Selection, columns: Ints, answers: Ints, seen: Seen | None) -> Lacking:
    """What each run lacks of the problems it is graded on: items without a verdict, and `answers` that are not there
    or not judged."""
    needed = np.ones(len(cube.axes.runs), dtype=np.int64)
    needed[columns] = answers
    rows = np.flatnonzero(selection.chosen & cube.partly_judged(needed))
    if not rows.size:
        return Lacking(*np.zeros((2, columns.size)))
    lines, items = cube.lines(rows, columns), cube.items[rows][:, None]
    first = np.flatnonzero(lines.item == 0)
    there = np.minimum(lines.n / answers, 1.0)
    rates = lines.c / np.maximum(lines.n, 1)
    graded, part, rate, kept = (
        np.add.reduceat(values, first, axis=0) for values in ((lines.n > 0) * 1.0, there, rates, rates * there)
    )
    judged = graded > 0
    parts = np.where(judged, 1 - part / items, 0.0)
    lost = np.where(judged, rate / np.maximum(graded, 1) - kept / items, 0.0)
    if seen is not None:
        parts, lost = (values * seen.clean(rows, columns) for values in (parts, lost))
    return Lacking(np.round(parts.sum(axis=0), 9), np.round(lost.sum(axis=0), 12))  # so that three thirds are one


def _share(covered: Floats, whole: Ints) -> Floats:
    shares: Floats = np.divide(covered, whole, out=np.zeros(whole.shape), where=whole > 0)
    return shares


def _seen_of(selection: Selection, seen: Seen, columns: Ints) -> Ints:
    """How many of the selected problems each run may have seen."""
    counts: Ints = np.searchsorted(selection.days, seen.until[columns], side="right")
    return counts + seen.sent(selection.chosen)[columns]


def _served(cube: Cube, selection: Selection, lineup: Lineup, places: Ints) -> Ints:
    """How many of the selected problems had been sent to each run's vendor before, whatever its cutoff."""
    ids, run = lineup.served
    rows = cube.axes.rows_or_none(ids)
    inside = (rows >= 0) & selection.chosen[rows]
    return counted(run[inside], len(lineup.runs))[places]


def _problem_counts(
    cube: Cube, selection: Selection, seen: Seen, lineup: Lineup, places: Ints, wanted: Wanted
) -> tuple[Ints, Ints]:
    """How many selected problems each run should have answers for, and how many of them its model may have seen."""
    ids = lineup.ids[places]
    columns = cube.axes.columns_of(ids)
    exposed = _seen_of(selection, seen, columns)
    counts = np.full(ids.size, selection.days.size, dtype=np.int64)
    for place, run in enumerate(ids.tolist() if wanted else ()):
        if run in wanted:
            rows = cube.axes.rows_of(wanted[run])
            rows = rows[selection.chosen[rows]]
            counts[place] = rows.size
            exposed[place] = np.count_nonzero(~seen.clean(rows, columns[[place]]))
    return counts, exposed
