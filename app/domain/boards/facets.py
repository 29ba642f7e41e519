"""What each value of a filter would leave, under all the other filters."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import Board, BoardQuery, Facet
from app.domain.boards.entrants import Wanted, entrants
from app.domain.boards.filters import Filter, Over, filters, text_of
from app.domain.boards.lineup import Lineup
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Axes
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Coded


def facets(cube: Cube, lineup: Lineup, wanted: Wanted, found: Board) -> dict[str, tuple[Facet, ...]]:
    """The facets of a board by filter: problems or rows by each value that the filter could take.

    Every value there is stands among them, with 0 where the other filters leave nothing of it.
    """
    listed = [each for each in filters() if each.repeated]
    problems = {each.name: _of_problems(cube.axes, found.query, each) for each in listed if each.over is Over.PROBLEMS}
    chosen = [each for each in listed if each.over is Over.ROWS]
    rows = dict(_of_rows(cube, lineup.under(found.query.rules), wanted, found, chosen))
    return {each.name: (problems | rows)[each.name] for each in listed}


def _of_problems(axes: Axes, query: BoardQuery, given: Filter) -> tuple[Facet, ...]:
    others = given.put(query, given.default)
    return _counted(given, axes.coded(given.fact), Selection.of(axes, others).chosen)


def _of_rows(
    cube: Cube, lineup: Lineup, wanted: Wanted, found: Board, chosen: list[Filter]
) -> Iterator[tuple[str, tuple[Facet, ...]]]:
    shown = _shown(cube, lineup, wanted, found, chosen)
    passing = {each.name: _passing(lineup, found.query, each) for each in chosen}
    for each in chosen:
        kept = shown.copy()
        for name, passes in passing.items():
            if name != each.name:
                kept &= passes
        yield each.name, _counted(each, lineup.coded(each.fact), kept)


def _passing(lineup: Lineup, query: BoardQuery, given: Filter) -> NDArray[np.bool_]:
    value, (values, places) = given.of(query), lineup.coded(given.fact)
    if value == given.default:
        return np.ones(places.size, dtype=bool)
    found: NDArray[np.bool_] = given.allows(values, value)[places]
    return found


def _counted(given: Filter, facts: Coded, chosen: NDArray[np.bool_]) -> tuple[Facet, ...]:
    counts = np.bincount(facts.places[chosen], minlength=len(facts.values)).tolist()
    by_value = {text_of(value): count for value, count in zip(facts.values, counts, strict=True)}
    return tuple(Facet(value, by_value.get(value, 0)) for value in given.choices(facts.values))


def _shown(cube: Cube, lineup: Lineup, wanted: Wanted, found: Board, chosen: list[Filter]) -> NDArray[np.bool_]:
    """Which runs stand on the board, or would without any of the `chosen` filters."""
    wider = found.query
    for each in chosen:
        wider = each.put(wider, each.default)
    if wider == found.query:
        return np.isin(lineup.ids, [row.run for row in found.rows])
    field, _ = entrants(cube, Selection.of(cube.axes, wider), lineup, wider, wanted)
    shown = np.zeros(len(lineup.runs), dtype=bool)
    shown[field.places] = True
    return shown
