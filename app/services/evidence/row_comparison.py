"""Rows of a board side by side: their differences, and the problems that these come from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.db.evidence import directory, profiles
from app.db.evidence.profiles import FirstAnswer
from app.db.kernel.session import Session
from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.boards.comparison import SharedRates, shared_rates
from app.domain.boards.selection import Selection
from app.domain.cube.axes import Axes
from app.domain.errors import InvalidInput, UnknownName
from app.domain.problems import Level
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore

MAX_ROWS: Final = 6
ALL: Final = "all"
DIFFER: Final = "differ"
_MAX_TOPICS: Final = 10
_MAX_MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class ComparedProblem:
    """A problem that all rows have: each one's pass rate, 0 to 1, whether its model may have seen it, and an answer."""

    source: str
    external_id: str
    title: str
    titles: Mapping[str, str]
    released_on: datetime | None
    rates: tuple[float, ...]
    seen: tuple[bool, ...]
    answers: tuple[FirstAnswer | None, ...]

    @property
    def higher(self) -> bool:
        """True if the second row passes it more often than the first."""
        return self.rates[1] > self.rates[0]


@dataclass(frozen=True, slots=True)
class ComparedGroup:
    """Mean pass rates in percent of the rows on the `n` problems of a level, a topic or a month."""

    name: str
    n: int
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RowComparison:
    """Rows of a board; the first one is its reference, so that the others have the board's own difference to it.

    All is over the problems that every row has, `common`: those that all always pass (`every`), that none ever passes
    (`neither`), and that all pass equally often otherwise (`alike`). `counts` is the number of problems of each filter:
    `all`, `differ`, and `only-1` and so on for those that one row alone ever passes. `problems` are those of the filter
    shown, newest first, and `groups` the means by level, topic and month; without a limit there are neither groups nor
    answers.
    """

    board: Board
    rows: tuple[BoardRow, ...]
    every: int
    neither: int
    alike: int
    counts: Mapping[str, int]
    problems: tuple[ComparedProblem, ...]
    groups: Mapping[str, tuple[ComparedGroup, ...]]

    @property
    def common(self) -> int:
        """Number of problems that all rows have."""
        return self.counts[ALL]


def compare_rows(
    session: Session,
    query: BoardQuery,
    cubes: CubeStore,
    names: Sequence[str],
    fields: Sequence[str],
    *,
    show: str = DIFFER,
    skip: int = 0,
    limit: int | None = None,
) -> RowComparison:
    """Return two to six rows that the board of a query shows, named `model` or `model:configuration`.

    `fields` are the names of the parameters that named them, for errors. Of the problems of the filter `show` those
    after the first `skip` are listed, at most `limit`. Raises UnknownName for a row that the board does not show or an
    unknown filter, and InvalidInput if a row is named twice.
    """
    board, loaded = board_views.board_with_cube(session, query, cubes, names[0])
    rows = tuple(_find_row(board, field, name) for field, name in zip(fields, names, strict=True))
    if len({row.run for row in rows}) < len(rows):
        raise InvalidInput("a row cannot be compared with itself", pointer=f"/{fields[-1]}")
    axes, lineup = loaded.cube.axes, loaded.lineup.under_rules(query.rules)
    columns = axes.columns_of(np.array([row.run for row in rows], dtype=np.int64))
    shared = shared_rates(loaded.cube, Selection.of(axes, query), columns, lineup.excluded_problems(axes, query))
    masks = _masks(shared.rates)
    if show not in masks:
        raise UnknownName("show", show, list(masks), noun="filter")
    equal = ~masks[DIFFER]
    listed = np.flatnonzero(masks[show])[::-1][skip:][:limit]
    exposed_rows = ~lineup.seen_problems(axes).clean(shared.rows[listed], columns)
    ids = axes.ids[shared.rows]
    lines = directory.problems_by_id(session, ids[listed].tolist())
    runs = [] if limit is None else [row.run for row in rows]
    answers = profiles.first_answers(session, runs, ids[listed].tolist())
    every, neither = (int(np.count_nonzero(equal & (shared.rates[:, 0] == rate))) for rate in (1, 0))
    return RowComparison(
        board,
        rows,
        every=every,
        neither=neither,
        alike=int(np.count_nonzero(equal)) - every - neither,
        counts={name: int(np.count_nonzero(mask)) for name, mask in masks.items()},
        problems=tuple(
            ComparedProblem(
                source=line.source,
                external_id=line.external_id,
                title=line.title,
                titles=line.titles,
                released_on=line.released_on,
                rates=tuple(shared.rates[place].tolist()),
                seen=tuple(exposed.tolist()),
                answers=tuple(answers.get((row.run, line.id)) for row in rows),
            )
            for place, line, exposed in zip(
                listed.tolist(), (lines[problem] for problem in ids[listed].tolist()), exposed_rows, strict=True
            )
        ),
        groups={} if limit is None else _groups(session, axes, shared),
    )


def _masks(rates: NDArray[np.float64]) -> dict[str, NDArray[np.bool_]]:
    """Return the problems of each filter."""
    passed = rates > 0
    alone = passed.sum(axis=1) == 1
    only = {f"only-{place + 1}": alone & passed[:, place] for place in range(rates.shape[1])}
    return {ALL: np.ones(len(rates), dtype=bool), DIFFER: (rates != rates[:, :1]).any(axis=1), **only}


def _groups(session: Session, axes: Axes, shared: SharedRates) -> dict[str, tuple[ComparedGroup, ...]]:
    """Return the means by level, by topic (the most frequent ones) and by month (the newest ones)."""
    levels = [None if (level := axes.levels[code]) is None else level.value for code in axes.level[shared.rows]]
    ids = axes.ids[shared.rows].tolist()
    topics = profiles.topics(session, ids)
    months = [f"{date.fromordinal(day):%Y-%m}" for day in axes.day[shared.rows].tolist()]
    by_level = {group.name: group for group in _means(shared, ([level] if level else [] for level in levels))}
    by_topic = sorted(_means(shared, (topics.get(problem, ()) for problem in ids)), key=lambda group: -group.n)
    by_month = sorted(_means(shared, ([month] for month in months)), key=lambda group: group.name)
    return {
        "level": tuple(by_level[level.value] for level in Level if level.value in by_level),
        "topic": tuple(by_topic[:_MAX_TOPICS]),
        "month": tuple(by_month[-_MAX_MONTHS:]),
    }


def _means(shared: SharedRates, names: Iterable[Sequence[str]]) -> list[ComparedGroup]:
    places: dict[str, list[int]] = {}
    for place, groups in enumerate(names):
        for name in groups:
            places.setdefault(name, []).append(place)
    return [
        ComparedGroup(name, len(inside), tuple((100 * shared.rates[inside].mean(axis=0)).tolist()))
        for name, inside in sorted(places.items())
    ]


def _find_row(board: Board, field: str, name: str) -> BoardRow:
    row = board.find_row(name)
    if row is None:
        names = [name_of(row) for row in board.rows]
        raise UnknownName(field, name, names, where="on this board", noun="row")
    return row


def name_of(row: BoardRow) -> str:
    """Return a row's name in URLs."""
    return f"{row.model}:{row.configuration}" if row.configuration else row.model


def as_json(comparison: RowComparison) -> dict[str, Any]:
    """Return the API's JSON of two rows; the difference is in points, pass rates from 0 to 1."""
    difference = comparison.rows[1].difference
    higher = sum(problem.higher for problem in comparison.problems)
    return {
        "rows": [
            {"model": row.model, "configuration": row.configuration, "score": row.score, "rank": row.rank}
            for row in comparison.rows
        ],
        "difference": None if difference is None else difference._asdict(),
        "counts": {
            "common": comparison.common,
            "second_better": higher,
            "first_better": len(comparison.problems) - higher,
            "both": comparison.every,
            "neither": comparison.neither,
            "alike": comparison.alike,
        },
        "problems": [
            {
                "problem": f"{problem.source}/{problem.external_id}",
                "title": problem.title,
                "released_on": None if problem.released_on is None else problem.released_on.isoformat(),
                "rates": list(problem.rates),
                "may_have_seen": list(problem.seen),
            }
            for problem in comparison.problems
        ],
    }
