"""Ratings and tables of a board's rows beside its score: task Elo, and scores by topic."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, isnan

import numpy as np

from app.db.boards import cells
from app.db.kernel.session import Session
from app.domain.boards.board import Board, BoardQuery, BoardRow, Exposure, LevelScore
from app.domain.boards.lineup import NEVER
from app.domain.boards.selection import Selection
from app.domain.errors import InvalidInput
from app.domain.metrics.intervals import Floats, Ints
from app.domain.publishing.tags import Topic
from app.domain.ratings import bradley_terry_intervals
from app.services.boards.cubes import Loaded
from app.services.boards.query import Params

TIES = ("drop", "half")
# What one request may cost: rows times problems, and multiplications of refits (about a second).
MOST_RESULTS, MOST_WORK = 1_000_000, 3e9
REPLICATES = 400


class TooMuch(InvalidInput):
    """More results than one request may ask for."""


@dataclass(frozen=True, slots=True)
class EloRow:
    """A rating on the scale of chess, with its 95 % interval over resampled contests; None where battles do not
    identify one, an open end None."""

    row: BoardRow
    rating: float | None
    lo: float | None
    hi: float | None


@dataclass(frozen=True, slots=True)
class EloTable:
    """Ranked rows by rating; those without one are last. `refitted` as in `EloIntervals`."""

    board: Board
    ties: str
    rows: tuple[EloRow, ...]
    refitted: bool


@dataclass(frozen=True, slots=True)
class TopicTable:
    """By topic, in order of problems: how many problems have it, and each row's score on them."""

    board: Board
    topics: tuple[tuple[Topic, int, tuple[LevelScore, ...]], ...]


def parse_ties(params: Params) -> tuple[str, list[tuple[str, str]]]:
    """How ties are counted, and the parameters left for the board. Raises InvalidInput."""
    pairs = list(params)
    values = [value for name, value in pairs if name == "ties" and value]
    if len(values) > 1 or any(value not in TIES for value in values):
        raise InvalidInput(f"ties must be given once, as one of {', '.join(TIES)}", pointer="/ties")
    return (values or [TIES[0]])[0], [pair for pair in pairs if pair[0] != "ties"]


def elo(board: Board, loaded: Loaded, ties: str) -> EloTable:
    """Task Elo of a board's ranked rows: Bradley-Terry over battles on each problem. The rows without a rank, whose
    models may have seen problems or that are unfinished, battle with nobody. Raises TooMuch where it is too much.
    """
    ranked = [row for row in board.rows if row.rank is not None]
    outcomes, rows = outcomes_of(loaded, board.query, ranked)
    if not ranked or not rows.size:
        return EloTable(board, ties, (), refitted=True)
    fit = bradley_terry_intervals(
        outcomes, loaded.cube.axes.cluster[rows], "half" if ties == "half" else "drop",
        replicates=REPLICATES, seed=board.revision, most_work=MOST_WORK,
    )  # fmt: skip
    rated = [
        EloRow(row, *(_finite(values[place]) for values in (fit.elo.ratings, fit.lo, fit.hi)))
        for place, row in enumerate(ranked)
    ]
    rated.sort(key=lambda row: (row.rating is None, -(row.rating or 0.0)))
    return EloTable(board, ties, tuple(rated), fit.refitted)


def topics(session: Session, board: Board, loaded: Loaded) -> TopicTable:
    """The scores of a board's rows on the problems of each topic. Raises TooMuch where it is too much."""
    outcomes, rows = outcomes_of(loaded, board.query, board.rows)
    topics_by_problem = cells.topics(session, loaded.cube.axes.ids[rows].tolist())
    of_topic: dict[Topic, list[int]] = {}
    for place, problem in enumerate(loaded.cube.axes.ids[rows].tolist()):
        for topic in topics_by_problem.get(problem, ()):
            of_topic.setdefault(topic, []).append(place)
    return TopicTable(
        board,
        tuple(
            (topic, len(places), _scores(outcomes[:, places]))
            for topic, places in sorted(of_topic.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        ),
    )


def outcomes_of(loaded: Loaded, query: BoardQuery, entries: Sequence[BoardRow]) -> tuple[Floats, Ints]:
    """Pass rates of shape (rows, problems), nan where nothing is graded, and which problems they are.

    In split mode also nan where a row's model may have seen the problem. Raises TooMuch where one request may not ask
    for so many.
    """
    axes = loaded.cube.axes
    rows = np.flatnonzero(Selection.of(axes, query).chosen)
    columns = axes.columns_of(np.array([row.run for row in entries], dtype=np.int64))
    if rows.size * columns.size > MOST_RESULTS:
        raise TooMuch(f"more than {MOST_RESULTS:,} results; choose a shorter window or fewer models", pointer="/from")
    parts = [np.where(graded, rate, np.nan) for _, (rate, graded) in loaded.cube.pass_rates(rows, columns)]
    outcomes = np.concatenate([np.zeros((0, columns.size)), *parts]).T
    if query.exposure is Exposure.SPLIT:
        cutoff = [NEVER if row.fact.cutoff_on is None else row.fact.cutoff_on.toordinal() for row in entries]
        outcomes[axes.day[rows] <= np.array(cutoff, dtype=np.int64)[:, None]] = np.nan
    return outcomes, rows


def _scores(outcomes: Floats) -> tuple[LevelScore, ...]:
    scores = []
    for line in outcomes:
        rates = line[~np.isnan(line)]
        scores.append(LevelScore(100 * float(rates.mean()) if rates.size else None, rates.size))
    return tuple(scores)


def _finite(value: float) -> float | None:
    return float(value) if not isnan(value) and isfinite(value) else None
