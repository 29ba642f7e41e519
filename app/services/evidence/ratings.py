"""Ratings and tables beside the scores of a board's rows: task Elo, scores by topic, solve rates of problems."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan

import numpy as np

from app.db.boards import cells
from app.db.kernel.session import Session
from app.domain.boards.board import Board, BoardQuery, BoardRow, LevelScore
from app.domain.boards.selection import Selection
from app.domain.errors import InvalidInput
from app.domain.metrics.intervals import Floats, Ints
from app.domain.publishing.tags import Topic
from app.domain.ratings import bradley_terry_intervals
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore, LoadedProtocol
from app.services.boards.query import Params, take_parameter, to_params

TIES = ("drop", "half")
# Limits of one request: rows times problems, and multiplications of refits (about a second).
MOST_RESULTS, MOST_WORK = 1_000_000, 3e9
REPLICATES = 500  # as BigCodeBench has it
_DIGITS = 10  # so that means of equal rates are equal in any order of summation


class TooManyResults(InvalidInput):
    """Raised when one request asks for too many results."""


@dataclass(frozen=True, slots=True)
class EloRow:
    """A rating on the scale of chess, with its 95 % interval over resampled contests.

    None if battles do not identify a rating, and for an open end.
    """

    row: BoardRow
    rating: float | None
    lo: float | None
    hi: float | None


@dataclass(frozen=True, slots=True)
class EloTable:
    """Ranked rows by rating; those without one are last.

    `refitted` is as in `EloIntervals`.
    """

    board: Board
    rows: tuple[EloRow, ...]
    refitted: bool


@dataclass(frozen=True, slots=True)
class TopicTable:
    """Topics by number of problems, with that number and each row's score on them."""

    board: Board
    topics: tuple[tuple[Topic, int, tuple[LevelScore, ...]], ...]


@dataclass(frozen=True, slots=True)
class SolveRates:
    """Solve rates of a board's problems: the mean of its rows' pass rates on each.

    `tenths` counts the problems with rates of 0 to 0.1, 0.1 to 0.2, ..., 0.9 to 1, without the upper end except in the
    last; `nobody` and `everybody` are those with rates of 0 and of 1. `problems` have a result of some row.
    """

    board: Board
    problems: int
    nobody: int
    everybody: int
    tenths: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EloOptions:
    """Options of task Elo: how `ties` count, and the protocol whose battles count `also`."""

    ties: str = TIES[0]
    also: str | None = None


def parse_elo_options(params: Params) -> tuple[EloOptions, list[tuple[str, str]]]:
    """Return the options, and the parameters left for the board. Raises InvalidInput."""
    ties, rest = take_parameter(params, "ties", TIES)
    also, rest = take_parameter(rest, "also")
    return EloOptions(ties or TIES[0], also), rest


def elo(session: Session, board: Board, loaded: LoadedProtocol, battles: EloOptions, cubes: CubeStore) -> EloTable:
    """Return task Elo of a board's ranked rows: Bradley-Terry over battles on each problem.

    Rows without a rank, whose models may have seen problems or that are unfinished, take no part. With a second
    protocol, neither do rows that have no rank there in the same configuration. Raises TooManyResults, and InvalidInput
    for an unknown protocol.
    """
    ranked = [row for row in board.rows if row.rank is not None]
    parts = [(board, loaded)]
    if battles.also is not None:
        parts.append(board_views.board_with_cube(session, replace(board.query, protocol=battles.also), cubes))
        ranked_there = {_row_key(row): row for row in parts[1][0].rows if row.rank is not None}
        ranked = [row for row in ranked if _row_key(row) in ranked_there]
    outcomes, contests = [], []
    for part, cube in parts:
        entries = ranked if part is board else [ranked_there[_row_key(row)] for row in ranked]
        rates, rows = outcome_matrix(cube, part.query, entries)
        outcomes.append(rates)
        contests += [cube.cube.axes.problems[row].cluster for row in rows.tolist()]
    if not ranked or not contests:
        return EloTable(board, (), refitted=True)
    made_from = tuple((cube.axes_key, cube.revision) for _, cube in parts)
    fit = cubes.compute_once(
        ("elo", board.query.board, tuple(to_params(board.query)), battles, made_from),
        lambda: bradley_terry_intervals(
            np.concatenate(outcomes, axis=1),
            np.unique(contests, return_inverse=True)[1],
            "half" if battles.ties == "half" else "drop",
            replicates=REPLICATES, seed=board.revision, most_work=MOST_WORK,
        ),
    )  # fmt: skip
    rated = [
        EloRow(row, *(_finite(values[place]) for values in (fit.elo.ratings, fit.lo, fit.hi)))
        for place, row in enumerate(ranked)
    ]
    rated.sort(key=lambda row: (row.rating is None, -(row.rating or 0.0)))
    return EloTable(board, tuple(rated), fit.refitted)


def _row_key(row: BoardRow) -> tuple[str, str]:
    return row.model, row.configuration


def topics(session: Session, board: Board, loaded: LoadedProtocol) -> TopicTable:
    """Return the scores of a board's rows on the problems of each topic. Raises TooManyResults."""
    outcomes, rows = outcome_matrix(loaded, board.query, board.rows)
    topics_by_problem = cells.topics(session, loaded.cube.axes.ids[rows].tolist())
    of_topic: dict[Topic, list[int]] = {}
    for place, problem in enumerate(loaded.cube.axes.ids[rows].tolist()):
        for topic in topics_by_problem.get(problem, ()):
            of_topic.setdefault(topic, []).append(place)
    return TopicTable(
        board,
        tuple(
            (topic, len(places), _row_scores(outcomes[:, places]))
            for topic, places in sorted(of_topic.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        ),
    )


def solve_rates(board: Board, loaded: LoadedProtocol) -> SolveRates:
    """Return how often the rows of a board solve each of its problems. Raises TooManyResults."""
    outcomes, _ = outcome_matrix(loaded, board.query, board.rows)
    outcomes = outcomes[:, ~np.isnan(outcomes).all(axis=0)]
    rates = np.nanmean(outcomes, axis=0).round(_DIGITS) if outcomes.size else np.zeros(0)
    tenths = np.minimum((10 * rates).round(_DIGITS).astype(np.int64), 9)  # 10 * 0.3 may not be 3
    return SolveRates(
        board,
        rates.size,
        int(np.count_nonzero(rates == 0)),
        int(np.count_nonzero(rates == 1)),
        tuple(np.bincount(tenths, minlength=10).tolist()),
    )


def outcome_matrix(loaded: LoadedProtocol, query: BoardQuery, entries: Sequence[BoardRow]) -> tuple[Floats, Ints]:
    """Return pass rates of shape (rows, problems), nan if nothing is graded, and the places of these problems.

    In split mode also nan if a row's model may have seen the problem. Raises TooManyResults.
    """
    axes = loaded.cube.axes
    rows = np.flatnonzero(Selection.of(axes, query).chosen)
    columns = axes.columns_of(np.array([row.run for row in entries], dtype=np.int64))
    if rows.size * columns.size > MOST_RESULTS:
        raise TooManyResults(
            f"more than {MOST_RESULTS:,} results; choose a shorter window or fewer models", pointer="/from"
        )
    parts = [np.where(graded, rate, np.nan) for _, (rate, graded) in loaded.cube.pass_rates(rows, columns)]
    outcomes = np.concatenate([np.zeros((0, columns.size)), *parts]).T
    if (exposure := loaded.lineup.excluded_problems(axes, query)) is not None:
        outcomes[~exposure.clean(rows, columns).T] = np.nan
    return outcomes, rows


def _row_scores(outcomes: Floats) -> tuple[LevelScore, ...]:
    scores = []
    for line in outcomes:
        rates = line[~np.isnan(line)]
        scores.append(LevelScore(100 * float(rates.mean()) if rates.size else None, rates.size))
    return tuple(scores)


def _finite(value: float) -> float | None:
    return float(value) if not isnan(value) and isfinite(value) else None
