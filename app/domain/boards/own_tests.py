"""Scores of rows on the problems whose tests were made without their own organisation's models."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from app.domain.boards.board import LevelScore, WithoutOwn
from app.domain.boards.entrants import Entrants
from app.domain.boards.selection import Selection
from app.domain.boards.totals import mean_rates
from app.domain.cube.cube import Cube, OwnSet
from app.domain.metrics.intervals import Floats, Ints

MIN_VENDORS: Final = 3  # two are drawn for a problem, so of two vendors each has a part in all problems


@dataclass(frozen=True, slots=True)
class WithoutOwnScores:
    """By entrant, the score and the reason why there is none; both empty if no models made any tests."""

    scores: tuple[LevelScore | None, ...] = ()
    reasons: tuple[WithoutOwn | None, ...] = ()


def without_own(cube: Cube, selection: Selection, field: Entrants, *, split: bool) -> WithoutOwnScores:
    """Return every entrant's score over the problems of its totals, without those whose tests its own vendor made.

    Only the results on a row's own problems are read, and subtracted from its totals.
    """
    sets, place = cube.axes.coded("setters")
    counts = np.bincount(place[selection.chosen], minlength=len(sets)).tolist()
    setters = {vendor for vendors, problems in zip(sets, counts, strict=True) if problems for vendor in vendors}
    if not setters:
        return WithoutOwnScores()
    names, run_place = field.lineup.coded("vendors")
    own_names = run_place[field.places]
    scores: list[LevelScore | None] = [None] * field.places.size
    reasons: list[WithoutOwn | None] = [WithoutOwn.NO_PART] * field.places.size
    for number, vendors in enumerate(names):
        entrants = np.flatnonzero(own_names == number)
        if not entrants.size or setters.isdisjoint(vendors):
            continue
        columns = cube.axes.columns_of(field.lineup.ids[run_place == number])
        own = cube.set_by(vendors, columns[columns >= 0])
        rates, graded = _sums_without_own(cube, selection, own, field, entrants, split=split)
        for at, score, n in zip(entrants.tolist(), (100 * mean_rates(rates, graded)).tolist(), graded, strict=True):
            if len(setters) < MIN_VENDORS:
                reasons[at] = WithoutOwn.TWO_VENDORS
            elif n:
                scores[at], reasons[at] = LevelScore(score, int(n)), None
            else:
                reasons[at] = WithoutOwn.NOTHING_LEFT
    return WithoutOwnScores(tuple(scores), tuple(reasons))


def _sums_without_own(
    cube: Cube, selection: Selection, own: OwnSet, field: Entrants, entrants: Ints, *, split: bool
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
        judged = judged[:, at] & field.lineup.seen(cube.axes).clean(own.rows[chosen], field.columns[entrants])
        solved = np.where(judged, own.rate[chosen][:, at], 0.0).sum(axis=0)
        return rates - solved, graded - np.count_nonzero(judged, axis=0)
    # A product does not copy lines; selecting some of them would.
    return rates - (mask[window] @ own.rate[window])[at], graded - np.count_nonzero(judged, axis=0)[at]
