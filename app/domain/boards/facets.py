"""Facets: the number of results that each value of a filter would leave, under all other filters."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.domain.boards.board import Board, BoardQuery, Facet
from app.domain.boards.entrants import WantedAnswers, WantedProblems, choose_entrants
from app.domain.boards.filters import BoardFilter, FilterScope, filters, of_all_rows, text_of
from app.domain.boards.lineup import Lineup
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Axes
from app.domain.cube.cube import Cube
from app.domain.cube.facts import EncodedFact


def facets(
    cube: Cube, lineup: Lineup, wanted: WantedProblems, board: Board, samples: WantedAnswers | None = None
) -> dict[str, tuple[Facet, ...]]:
    """Return the facets of a board by filter: problems or rows by each value that the filter can take.

    Every existing value is included, with 0 if the other filters leave nothing of it.
    """
    entries = [entry for entry in filters() if entry.repeated]
    row_filters = [entry for entry in entries if entry.over is FilterScope.ROWS]
    rows = dict(_row_facets(cube, lineup.under_rules(board.query.rules), wanted, samples or {}, board, row_filters))
    return {
        entry.name: _problem_facets(cube.axes, board.query, entry)
        if entry.over is FilterScope.PROBLEMS
        else rows[entry.name]
        for entry in entries
    }


def _problem_facets(axes: Axes, query: BoardQuery, entry: BoardFilter) -> tuple[Facet, ...]:
    others = entry.replace_in(query, entry.default)
    return _count_facets(entry, axes.encoded_fact(entry.fact), Selection.of(axes, others).chosen)


def _row_facets(
    cube: Cube,
    lineup: Lineup,
    wanted: WantedProblems,
    samples: WantedAnswers,
    board: Board,
    row_filters: list[BoardFilter],
) -> Iterator[tuple[str, tuple[Facet, ...]]]:
    on_board = _runs_on_board(cube, lineup, wanted, samples, board)
    every = [entry for entry in filters() if entry.over is FilterScope.ROWS]
    passing = {entry.name: _passing_runs(lineup, board.query, entry) for entry in every}
    for entry in row_filters:
        runs = on_board.copy()
        for name, passes in passing.items():
            if name != entry.name:
                runs &= passes
        yield entry.name, _count_facets(entry, lineup.encoded_fact(entry.fact), runs)


def _passing_runs(lineup: Lineup, query: BoardQuery, entry: BoardFilter) -> NDArray[np.bool_]:
    value, (values, places) = entry.value_in(query), lineup.encoded_fact(entry.fact)
    if value == entry.default:
        return np.ones(places.size, dtype=bool)
    mask: NDArray[np.bool_] = entry.allows(values, value)[places]
    return mask


def _count_facets(entry: BoardFilter, facts: EncodedFact, runs: NDArray[np.bool_]) -> tuple[Facet, ...]:
    counts = np.bincount(facts.places[runs], minlength=len(facts.values)).tolist()
    by_value = {text_of(value): count for value, count in zip(facts.values, counts, strict=True)}
    return tuple(Facet(value, by_value.get(value, 0)) for value in entry.choices(facts.values))


def _runs_on_board(
    cube: Cube, lineup: Lineup, wanted: WantedProblems, samples: WantedAnswers, board: Board
) -> NDArray[np.bool_]:
    """Return which runs the board would show without its row filters."""
    wider = replace(of_all_rows(board.query), prospective=board.query.prospective)
    if wider == board.query:
        return np.isin(lineup.ids, [row.run for row in board.rows])
    field = choose_entrants(cube, Selection.of(cube.axes, wider), lineup, wider, wanted, samples)[0].without_left_out()
    runs = np.zeros(len(lineup.runs), dtype=bool)
    runs[field.places[field.shown]] = True
    return runs
