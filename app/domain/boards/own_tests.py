"""Scores of rows on the problems whose tests were made without their own organisation's models."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.domain.boards.board import LevelScore, WithoutOwnReason
from app.domain.boards.entrants import BoardEntrants
from app.domain.boards.selection import Selection
from app.domain.boards.totals import mean_rates
from app.domain.cube.cube import Cube
from app.domain.cube.shards import OwnTestResults
from app.domain.metrics.intervals import Floats, Ints

MIN_VENDORS: Final = 3  # two are drawn for a problem, so of two vendors each has a part in all problems


@dataclass(frozen=True, slots=True)
class WithoutOwnScores:
    """By entrant, the score and the reason why there is none; both empty if no models made any tests."""

    scores: tuple[LevelScore | None, ...] = ()
    reasons: tuple[WithoutOwnReason | None, ...] = ()


def without_own(cube: Cube, selection: Selection, field: BoardEntrants, *, split: bool) -> WithoutOwnScores:
    """Return every entrant's score over the problems of its totals, without those whose tests its own vendor made.

    Only the results on a row's own problems are read, and subtracted from its totals.
    """
    sets, place = cube.axes.encoded_fact("setters")
    counts = np.bincount(place[selection.chosen], minlength=len(sets)).tolist()
    setters = {vendor for vendors, problems in zip(sets, counts, strict=True) if problems for vendor in vendors}
    if not setters:
        return WithoutOwnScores()
    names, run_place = field.lineup.encoded_fact("vendors")
    own_names = run_place[field.places]
    scores: list[LevelScore | None] = [None] * field.places.size
    reasons: list[WithoutOwnReason | None] = [WithoutOwnReason.NO_PART] * field.places.size
    for number, vendors in enumerate(names):
        entrants = np.flatnonzero(own_names == number)
        if not entrants.size or setters.isdisjoint(vendors):
            continue
        columns = cube.axes.columns_of(field.lineup.ids[run_place == number])
        own = cube.results_on_tests_by(vendors, columns[columns >= 0])
        rates, graded = _sums_without_own(cube, selection, own, field, entrants, split=split)
        for at, score, n in zip(entrants.tolist(), (100 * mean_rates(rates, graded)).tolist(), graded, strict=True):
            if len(setters) < MIN_VENDORS:
                reasons[at] = WithoutOwnReason.TWO_VENDORS
            elif n:
                scores[at], reasons[at] = LevelScore(score, int(n)), None
            else:
                reasons[at] = WithoutOwnReason.NOTHING_LEFT
    return WithoutOwnScores(tuple(scores), tuple(reasons))


def _sums_without_own(
    cube: Cube, selection: Selection, own: OwnTestResults, field: BoardEntrants, entrants: Ints, *, split: bool
) -> tuple[Floats, Floats]:
    """Return sums of pass rates, and numbers of graded problems, without the `own` problems.

    Its columns are among the entrants' in the cube.
    """
    rates, graded = field.totals.rates.sum(axis=0)[entrants], field.totals.n[entrants]
    mask = selection.chosen[own.rows]
    inside = np.flatnonzero(mask)
    if not inside.size:
        return rates, graded
    window = slice(int(inside[0]), int(inside[-1]) + 1)
    chosen = window if inside.size == window.stop - window.start else inside  # a slice is not copied
    at = np.searchsorted(own.columns, field.columns[entrants])
    judged = own.graded[chosen]
    if split:
        judged = judged[:, at] & field.lineup.seen_problems(cube.axes).clean(own.rows[chosen], field.columns[entrants])
        solved = np.where(judged, own.rate[chosen][:, at], 0.0).sum(axis=0)
        return rates - solved, graded - np.count_nonzero(judged, axis=0)
    # A product does not copy lines; selecting some of them would.
    return rates - (mask[window] @ own.rate[window])[at], graded - np.count_nonzero(judged, axis=0)[at]
