"""The runs on a board, and the runs that are left out, each with the reason."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import BoardQuery, Exposure, HiddenRow, Prospective, Rules
from app.domain.boards.lineup import Lineup, hidden_row
from app.domain.boards.seen_problems import SeenProblems, count_places
from app.domain.boards.selection import Selection
from app.domain.boards.totals import Totals, totals
from app.domain.cube.cube import Cube
from app.domain.metrics.intervals import Floats, Ints

# The least share of the selected problems that a ranked row covers.
MIN_COVERAGE = 0.95

# The problems of each run's own file, by run id, for LiveCodeBench's rules.
WantedProblems = Mapping[int, Collection[int] | NDArray[np.int64]]
# The number of answers to each item that a run should have, by run id; 1 by default.
WantedAnswers = Mapping[int, int]


class MissingResults(NamedTuple):
    """Missing results of runs on the problems that they are graded on.

    `parts` sums the missing shares of problems; `lost` is the loss in the sum of pass rates if they count as failed.
    """

    parts: Floats
    lost: Floats


@dataclass(frozen=True)
class BoardEntrants:
    """The runs on the board, by ascending id: `places` in the line-up, `columns` in the cube; all arrays are parallel.

    `shown` says which of them the row filters show; ranks are among all. `wanted` counts the selected problems that a
    run should have answers for, in split mode the clean ones; `whole` counts all selected problems, in split mode those
    clean for the run. `exposed` counts the wanted problems that its model may have seen; `unfit` says that it has no
    rank for that reason. `served` counts the selected problems that its vendor had been sent before;
    `prospective` says that it was registered before any selected problem came out, and that none was served
    before. `left_out` says which of them a board in hide mode leaves out. `totals` are over all selected problems, in
    split mode over the clean ones; `covered` is their number of graded problems, a partly graded one counting as a
    fraction; `lost` is as in `MissingResults`.
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
        """The share of `whole` that each run is graded on."""
        return _share(self.covered, self.whole)

    @property
    def counted(self) -> Floats:
        """The factor of each mean if all missing results of `whole` count as failed."""
        rates = self.totals.rates.sum(axis=0)
        kept = np.divide(rates - self.lost, rates, out=np.ones(rates.shape), where=rates > 0)
        return np.where(rates > 0, _share(self.totals.n, self.whole) * kept, self.share)

    def without_left_out(self) -> "BoardEntrants":
        """Return the entrants without those left out."""
        return self.select(~self.left_out)

    def select(self, mask: NDArray[np.bool_]) -> "BoardEntrants":
        """Return only the entrants where `mask`."""
        if mask.all():
            return self
        at = np.flatnonzero(mask)
        return BoardEntrants(
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


def choose_entrants(
    cube: Cube, selection: Selection, lineup: Lineup, query: BoardQuery, wanted: WantedProblems, samples: WantedAnswers
) -> tuple[BoardEntrants, tuple[HiddenRow, ...]]:
    """Return the entrants of the board, and the runs not shown: filtered, other trials, exposed, late, unjudged.

    Of several trials, the first that was answered stands, whatever the query and the results. Of files, it is the
    newest with any judged result; recorded answers that cover less than a rank requires give way to older ones that
    cover it. Every selected problem is wanted of every run, otherwise files would choose what they are measured by;
    LiveCodeBench's rules measure a file by its own problems, and do not count answers.
    """
    if query.rules is Rules.LCB:
        samples = {}
    else:
        wanted = {}
    filtered, reasons = lineup.filter_reasons(query), dict[int, str]()
    shown, absent = np.ones((2, len(lineup.runs)), dtype=bool)
    shown[list(filtered)] = False
    column = cube.axes.columns_of(lineup.ids)
    places = np.flatnonzero(column >= 0)
    columns = column[places]
    seen = lineup.seen_problems(cube.axes)
    split = query.exposure is Exposure.SPLIT
    problem_counts, exposed = _problem_counts(cube, selection, seen, lineup, places, wanted)
    unfit = exposed > 0
    if query.rules is Rules.LCB:
        unfit = lineup.cutoff[places] >= selection.opening
    sums = totals(cube, selection, seen if split else None).take(columns)
    whole = np.full(places.size, selection.days.size, dtype=np.int64)
    if split:
        problem_counts, whole = problem_counts - exposed, whole - _seen_counts(selection, seen, columns)
    lacking = _missing_results(
        cube, selection, columns, _answers_by_run(lineup, places, samples), seen if split else None
    )
    covered = sums.n - lacking.parts
    judged = sums.whole.graded.sum(axis=0) > 0
    other = _superseded_trials(lineup, places, _share(covered, whole) >= MIN_COVERAGE, judged)
    for place in places[other].tolist():
        reasons[place] = "older_trial" if lineup.of_files[place] else "later_trial"
    judged &= ~other
    left_out = judged & unfit & (query.exposure is Exposure.HIDE)
    reasons.update(dict.fromkeys(places[left_out].tolist(), "exposure"))
    served = _served_counts(cube, selection, lineup, places)
    prospective = (lineup.registered[places] < selection.first_released) & (served == 0)
    late = places[judged & ~prospective & (query.prospective is Prospective.ONLY)]
    shown[late] = False
    reasons.update(dict.fromkeys(late.tolist(), "not_prospective"))
    absent[places[judged | other]] = False
    reasons.update(dict.fromkeys(np.flatnonzero(absent).tolist(), "unjudged"))
    reasons.update(filtered)
    field = BoardEntrants(
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
    ).select(judged)
    hidden = (hidden_row(lineup.runs[place], reason) for place, reason in sorted(reasons.items()))
    return field, tuple(hidden)


def _superseded_trials(
    lineup: Lineup, places: Ints, covers: NDArray[np.bool_], judged: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return which runs at `places` are trials for which another one stands."""
    full, tried, listed = np.zeros((3, len(lineup.runs)), dtype=bool)
    full[places], tried[places], listed[places] = covers | lineup.imported[places], judged, True
    ours = ~lineup.of_files  # no query may choose among our own trials
    standing = lineup.last_runs(lineup.claim, full | ours, tried | ours, listed | ours)
    others = np.ones(len(lineup.runs), dtype=bool)
    others[standing] = ~lineup.stands[standing]
    flags: NDArray[np.bool_] = others[places]
    return flags


def _answers_by_run(lineup: Lineup, places: Ints, samples: WantedAnswers) -> Ints:
    """Return how many answers to each item the runs at `places` should have."""
    if not samples:
        return np.ones(places.size, dtype=np.int64)
    return np.array([samples.get(run, 1) for run in lineup.ids[places].tolist()], dtype=np.int64)


def _missing_results(
    cube: Cube, selection: Selection, columns: Ints, answers: Ints, seen: SeenProblems | None
) -> MissingResults:
    """Return the missing results on graded problems: items without a verdict, and missing or unjudged answers."""
    needed = np.ones(len(cube.axes.runs), dtype=np.int64)
    needed[columns] = answers
    rows = np.flatnonzero(selection.chosen & cube.partly_judged(needed))
    if not rows.size:
        return MissingResults(*np.zeros((2, columns.size)))
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
    return MissingResults(
        np.round(parts.sum(axis=0), 9), np.round(lost.sum(axis=0), 12)
    )  # so that three thirds add up to one


def _share(covered: Floats, whole: Ints) -> Floats:
    shares: Floats = np.divide(covered, whole, out=np.zeros(whole.shape), where=whole > 0)
    return shares


def _seen_counts(selection: Selection, seen: SeenProblems, columns: Ints) -> Ints:
    """Return how many of the selected problems each run may have seen."""
    counts: Ints = np.searchsorted(selection.days, seen.until[columns], side="right")
    return counts + seen.count_sent(selection.chosen)[columns]


def _served_counts(cube: Cube, selection: Selection, lineup: Lineup, places: Ints) -> Ints:
    """Return how many of the selected problems each run's vendor had been sent before, whatever its cutoff."""
    ids, run = lineup.served
    rows = cube.axes.rows_or_none(ids)
    inside = rows >= 0  # of a board without any problem, none is
    inside[inside] = selection.chosen[rows[inside]]
    return count_places(run[inside], len(lineup.runs))[places]


def _problem_counts(
    cube: Cube, selection: Selection, seen: SeenProblems, lineup: Lineup, places: Ints, wanted: WantedProblems
) -> tuple[Ints, Ints]:
    """Return how many selected problems each run should have answers for, and how many of them it may have seen."""
    ids = lineup.ids[places]
    columns = cube.axes.columns_of(ids)
    exposed = _seen_counts(selection, seen, columns)
    counts = np.full(ids.size, selection.days.size, dtype=np.int64)
    for place, run in enumerate(ids.tolist() if wanted else ()):
        if run in wanted:
            rows = cube.axes.rows_of(wanted[run])
            rows = rows[selection.chosen[rows]]
            counts[place] = rows.size
            exposed[place] = np.count_nonzero(~seen.clean(rows, columns[[place]]))
    return counts, exposed
