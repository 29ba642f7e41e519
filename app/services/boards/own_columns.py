"""Values of a board's own columns: scores of its models under other protocols, or parts of them."""

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite

import numpy as np

from app.db.boards import cells
from app.db.kernel.session import Session
from app.db.problems import difficulties
from app.db.problems import problems as problem_store
from app.domain.boards.board import Board, BoardQuery, PairedGap
from app.domain.boards.filters import of_all_rows
from app.domain.boards.named_boards import ScorePart, boards
from app.domain.boards.named_boards._paired_gaps import BoardSource, paired_gaps
from app.domain.boards.pass_at import pass_at
from app.domain.boards.ranking import rank_board
from app.domain.boards.selection import Selection
from app.domain.composites import dapr
from app.domain.composites.ease import scale_of
from app.domain.metrics.intervals import Floats
from app.services.boards.cubes import CubeStore, LoadedProtocol

Values = Mapping[tuple[str, str], float | None]  # by model and configuration


def with_parts(session: Session, side: BoardSource, cubes: CubeStore) -> Board:
    """Return the board with the values that its own columns read, by part.

    Each protocol that they need is ranked once, among all rows: a filter of rows may leave out the row to compare with,
    and changes no number of a row.
    """
    query = side.board.query
    every = of_all_rows(query)
    parts: dict[str, Values] = {}
    gaps: dict[str, Mapping[tuple[str, str], PairedGap]] = {}
    ranked: dict[str, tuple[LoadedProtocol, Board] | None] = {}
    for part in boards()[query.board].parts:
        slug = part.beside(query.protocol)
        if slug is not None and slug not in ranked:
            ranked[slug] = _rank_protocol(session, every, slug, cubes)
        beside = None if slug is None else ranked[slug]
        parts[part.name] = {} if beside is None else _part_values(session, part, *beside)
        if beside is not None and part.is_paired:
            loaded, board = beside
            with cubes.ranking_slot():
                gaps[part.name] = paired_gaps(side, BoardSource(board, loaded.cube, loaded.lineup), part)
    return replace(side.board, parts=parts, paired=gaps)


def _rank_protocol(
    session: Session, query: BoardQuery, slug: str, cubes: CubeStore
) -> tuple[LoadedProtocol, Board] | None:
    protocol = cells.protocol(session, slug)
    if protocol is None:
        return None
    loaded, protocol_query = cubes.load(session, protocol), replace(query, protocol=protocol.slug)
    with cubes.ranking_slot():
        return loaded, rank_board(
            loaded.cube, loaded.lineup, protocol_query, wanted=loaded.wanted, samples=loaded.samples
        )


def _part_values(session: Session, part: ScorePart, loaded: LoadedProtocol, board: Board) -> Values:
    if part.is_whole:
        return {(row.model, row.configuration): row.score for row in board.rows}
    axes = loaded.cube.axes
    problems = np.flatnonzero(Selection.of(axes, board.query).chosen)
    ids: list[int] = axes.ids[problems].tolist()
    if part.tag:
        tagged = problem_store.problems_with_tag(session, ids, part.tag)
        problems = problems[[number in tagged for number in ids]]
        ids = axes.ids[problems].tolist()
    ease = np.ones(len(ids))
    if part.adjusted:
        frozen = difficulties.frozen_values(session, scale_of(loaded.protocol.protocol.scenario))
        ease = np.array([frozen.get(number, np.nan) for number in ids], dtype=np.float64)
    columns = axes.columns_of(np.array([row.run for row in board.rows], dtype=np.int64))
    exposure = loaded.lineup.excluded_problems(axes, board.query)
    if part.k:
        (chances,), _ = pass_at(loaded.cube, problems, columns, exposure, (part.k,))
        return {
            (row.model, row.configuration): 100 * chance if isfinite(chance) else None
            for row, chance in zip(board.rows, chances.tolist(), strict=True)
        }
    rates = [np.where(graded, rate, np.nan) for _, (rate, graded) in loaded.cube.pass_rates(problems, columns)]
    outcomes = np.concatenate([np.zeros((0, columns.size)), *rates]).T
    if exposure is not None:
        outcomes[~exposure.clean(problems, columns).T] = np.nan
    return {
        (row.model, row.configuration): _weighted_mean(line, ease)
        for row, line in zip(board.rows, outcomes, strict=True)
    }


def _weighted_mean(rates: Floats, ease: Floats) -> float | None:
    """Return the mean in percent, weighted by 1 / ease, over problems that have both; None if there are none."""
    has_ease = ~np.isnan(ease)
    mean = dapr(rates[has_ease], ease[has_ease])
    return 100 * mean if isfinite(mean) else None
