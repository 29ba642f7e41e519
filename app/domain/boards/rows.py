"""The rows of a board, built from arrays."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import repeat
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import (
    BoardRow,
    LevelTable,
    Overlap,
    RowDifference,
    RunUsage,
    ScoreInterval,
    WithoutOwnReason,
)
from app.domain.boards.comparison import PairedDifferences
from app.domain.boards.entrants import BoardEntrants
from app.domain.boards.own_tests import WithoutOwnScores
from app.domain.boards.selection import Selection
from app.domain.boards.standing import BoardStandings
from app.domain.boards.totals import LevelSums, Totals, mean_rates
from app.domain.cube.cube import Cube
from app.domain.metrics.estimates import WindowEstimates
from app.domain.metrics.intervals import Floats, Ints, Ranks, holm
from app.domain.problems import Level

T = TypeVar("T")
Row = TypeVar("Row", bound=tuple[Any, ...])

_NO_USAGE = RunUsage()

# Which entrants have an estimate, and the estimates.
Estimates = tuple[Ints, WindowEstimates]
# Differences to the reference, and which ranked entrants can be told from it.
Differences = tuple[PairedDifferences, Mapping[int, bool]]


def board_rows(
    cube: Cube,
    selection: Selection,
    field: BoardEntrants,
    standing: BoardStandings,
    usage: Mapping[int, RunUsage],
    unpublished: Mapping[str, int],
    differences: Differences | None,
    estimates: Estimates | None,
    levels: Sequence[Level],
    without: WithoutOwnScores,
    pass_at: Floats,
    *,
    split: bool,
) -> tuple[BoardRow, ...]:
    """Return one row per entrant, in the order shown. Built by column, so that a thousand rows take a millisecond."""
    order = standing.order
    if not order.size:
        return ()
    places = field.places[order]
    facts, ids = field.lineup.facts[places].tolist(), field.lineup.ids[places].tolist()
    pending, errors = (values[field.columns] for values in _missing_counts(cube, selection))
    columns: dict[str, Iterable[Any]] = {
        "fact": facts,
        "trials": field.lineup.trials[places].tolist(),
        "rank": _or_none(standing.rank[order]),
        "rank_lo": _or_none(standing.best[order]),
        "rank_hi": _or_none(standing.worst[order]),
        "tier": _or_none(standing.tier[order]),
        "score": _percent(standing.mean[order]),
        "ci_lo": _percent(standing.bounds.lo[order]),
        "ci_hi": _percent(standing.bounds.hi[order]),
        "n_problems": field.totals.n[order].astype(np.int64).tolist(),
        "wanted": field.wanted[order].tolist(),
        "coverage": standing.coverage[order].tolist(),
        "exposed": field.exposed[order].tolist(),
        "provisional": standing.provisional[order].tolist(),
        "levels": repeat(_level_table(cube, field.totals, order, levels), order.size),
        "place": range(order.size),
        "judge_errors": errors[order].tolist(),
        "pending": pending[order].tolist(),
        "parts": repeat(_split_table(field.totals, order) if split else None, order.size),
        "usage": [usage.get(run, _NO_USAGE) for run in ids] if usage else [_NO_USAGE] * order.size,
        "unpublished_variants": [unpublished.get(fact.model, 0) for fact in facts] if unpublished else [0] * order.size,
        "difference": _difference(differences, order),
        "overlap": _of_ranked(standing, [] if standing.overlap is None else _rank_overlaps(standing.overlap)),
        "first_chance": _of_ranked(standing, [] if standing.first_chance is None else standing.first_chance.tolist()),
        "estimate": _estimate(estimates, order),
        **_without_own(without, order),
        "served": field.served[order].tolist(),
        "prospective": field.prospective[order].tolist(),
        "by_cutoff": repeat(selection.late, order.size),
        "pass_at": list(zip(*(_percent(values) for values in pass_at[:, order]), strict=True)),
    }
    return tuple(_tuples(BoardRow, *(columns[name] for name in BoardRow._fields)))


def _tuples(kind: type[Row], *columns: Iterable[Any]) -> Iterator[Row]:
    """Yield named tuples from columns; `kind._make` would cost a Python call for each."""
    return map(partial(tuple.__new__, kind), zip(*columns, strict=True))


def _or_none(places: NDArray[np.int64]) -> list[int | None]:
    numbers: list[int | None] = _numbers(places.size + 1)[places].tolist()
    return numbers


@lru_cache(maxsize=64)
def _numbers(count: int) -> NDArray[np.object_]:
    """Return None, 1, 2, ...: a look-up costs less than building numbers and replacing some by None."""
    numbers = np.arange(count).astype(object)
    numbers[0] = None
    return numbers


def _percent(rates: Floats) -> list[float | None]:
    percents: list[float | None] = (100 * rates).tolist()
    for place in np.flatnonzero(np.isnan(rates)).tolist():
        percents[place] = None
    return percents


def _level_table(cube: Cube, totals: Totals, order: NDArray[np.int64], levels: Sequence[Level]) -> LevelTable:
    """Return percent and number of graded problems of every row on the levels shown; 0 problems if a level has none."""
    table = np.zeros((2, len(levels), order.size))
    for place, level in enumerate(levels):
        if level in cube.axes.levels:
            line = cube.axes.levels.index(level)
            table[:, place] = totals.rates[line][order], totals.graded[line][order]
    table[0] = 100 * mean_rates(*table)
    return LevelTable(levels, table)


def _split_table(totals: Totals, order: NDArray[np.int64]) -> LevelTable:
    """Return percent and number of graded problems of every row on the clean part, and on the exposed one."""
    clean, whole = (
        np.stack([sums.rates.sum(axis=0)[order], sums.graded.sum(axis=0)[order]])
        for sums in (LevelSums(totals.rates, totals.graded), totals.whole)
    )
    table = np.stack([clean, whole - clean], axis=1)
    table[0] = 100 * mean_rates(*table)
    return LevelTable((), table)


def _difference(differences: Differences | None, order: NDArray[np.int64]) -> Sequence[RowDifference | None]:
    if differences is None:
        return [None] * order.size
    paired, separated = differences
    mean, bounds = 100 * paired.mean[order], paired.bounds
    columns = (mean, 100 * bounds.lo[order], 100 * bounds.hi[order], holm(paired.p[order]))
    apart = [separated.get(place) for place in order.tolist()]
    entries = _tuples(RowDifference, *(values.tolist() for values in columns), apart)
    return [None if none else difference for none, difference in zip(np.isnan(mean), entries, strict=True)]


def _estimate(estimates: Estimates | None, order: NDArray[np.int64]) -> Sequence[ScoreInterval | None]:
    if estimates is None:
        return [None] * order.size
    entrants, (mean, bounds) = estimates
    columns = (100 * mean, 100 * bounds.lo, 100 * bounds.hi)
    by_entrant = dict(
        zip(entrants.tolist(), _tuples(ScoreInterval, *(values.tolist() for values in columns)), strict=True)
    )
    return [by_entrant.get(place) for place in order.tolist()]


def _without_own(without: WithoutOwnScores, order: NDArray[np.int64]) -> dict[str, Iterable[Any]]:
    if not without.scores:  # the same for all
        return {"without_own": [None] * order.size, "without_own_reason": [WithoutOwnReason.NO_PART] * order.size}
    places = order.tolist()
    return {
        "without_own": [without.scores[place] for place in places],
        "without_own_reason": [without.reasons[place] for place in places],
    }


def _of_ranked(standing: BoardStandings, values: Iterable[T]) -> list[T | None]:
    """Return the values of the ranked rows, which are shown first, then None for the others."""
    listed: list[T | None] = list(values)
    return listed + [None] * (standing.order.size - len(listed))


def _rank_overlaps(overlap: Ranks) -> Iterable[Overlap]:
    return _tuples(Overlap, *(values.tolist() for values in overlap))


def _missing_counts(cube: Cube, selection: Selection) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pending answers and judge errors of every run on the selected problems."""
    faults = cube.incomplete_cells
    inside = selection.chosen[faults.problem]
    run, runs = faults.run[inside], len(cube.axes.runs)
    pending, errors = (
        np.bincount(run, weights=counts[inside], minlength=runs).astype(np.int64)
        for counts in (faults.pending, faults.judge_errors)
    )
    return pending, errors
