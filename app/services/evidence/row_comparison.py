"""Two rows of a board side by side: their paired difference, and the problems that it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from app.db.evidence import directory
from app.db.kernel.session import Session
from app.domain.boards.board import Board, BoardQuery, BoardRow
from app.domain.boards.comparison import paired_rates
from app.domain.boards.selection import Selection
from app.domain.errors import InvalidInput, UnknownName
from app.services.boards import board_views
from app.services.boards.cubes import CubeStore


@dataclass(frozen=True, slots=True)
class ComparedProblem:
    """A problem that two rows differ on: their pass rates, 0 to 1, and whether their models may have seen it."""

    source: str
    external_id: str
    title: str
    titles: Mapping[str, str]
    released_on: datetime | None
    rates: tuple[float, float]
    seen: tuple[bool, bool]

    @property
    def higher(self) -> bool:
        """True if the second row passes it more often."""
        return self.rates[1] > self.rates[0]


@dataclass(frozen=True, slots=True)
class RowComparison:
    """Row `first`, the board's reference, and row `second`, whose `difference` is the board's own.

    Counts of the problems that both have: those that both always pass (`both`), that neither ever passes (`neither`),
    and that they pass equally often (`alike`). The rest are `problems`, newest first.
    """

    board: Board
    first: BoardRow
    second: BoardRow
    both: int
    neither: int
    alike: int
    problems: tuple[ComparedProblem, ...]

    @property
    def higher(self) -> int:
        """Number of problems on which the second row is better."""
        return sum(problem.higher for problem in self.problems)

    @property
    def lower(self) -> int:
        """Number of problems on which the first row is better."""
        return len(self.problems) - self.higher

    @property
    def common(self) -> int:
        """Number of problems that both have."""
        return self.both + self.neither + self.alike + len(self.problems)


def compare_rows(session: Session, query: BoardQuery, cubes: CubeStore, first: str, second: str) -> RowComparison:
    """Compare two rows that the board of a query shows, named `model` or `model:configuration`.

    Raises UnknownName for a row that it does not show, and InvalidInput if both are the same one.
    """
    board, loaded = board_views.board_with_cube(session, query, cubes, first)
    rows = _find_row(board, "ref", first), _find_row(board, "with", second)
    if rows[0].run == rows[1].run:
        raise InvalidInput("a row cannot be compared with itself", pointer="/with")
    axes, lineup = loaded.cube.axes, loaded.lineup.under_rules(query.rules)
    columns = axes.columns_of(np.array([row.run for row in rows], dtype=np.int64))
    both = paired_rates(loaded.cube, Selection.of(axes, query), columns, lineup.excluded_problems(axes, query))
    equal = both.first == both.second
    always, never = (int(np.count_nonzero(equal & (both.first == rate))) for rate in (1, 0))
    differ = np.flatnonzero(~equal)[::-1]
    ids = axes.ids[both.rows[differ]].tolist()
    lines = directory.problems_by_id(session, ids)
    exposed_rows = ~lineup.seen_problems(axes).clean(both.rows[differ], columns)
    return RowComparison(
        board,
        *rows,
        both=always,
        neither=never,
        alike=int(np.count_nonzero(equal)) - always - never,
        problems=tuple(
            ComparedProblem(
                source=line.source,
                external_id=line.external_id,
                title=line.title,
                titles=line.titles,
                released_on=line.released_on,
                rates=(float(both.first[place]), float(both.second[place])),
                seen=(bool(exposed[0]), bool(exposed[1])),
            )
            for place, line, exposed in zip(
                differ.tolist(), (lines[problem] for problem in ids), exposed_rows, strict=True
            )
        ),
    )


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
    """Return the API's JSON; the difference is in points, pass rates from 0 to 1."""
    difference = comparison.second.difference
    return {
        "rows": [
            {"model": row.model, "configuration": row.configuration, "score": row.score, "rank": row.rank}
            for row in (comparison.first, comparison.second)
        ],
        "difference": None if difference is None else difference._asdict(),
        "counts": {
            "common": comparison.common,
            "second_better": comparison.higher,
            "first_better": comparison.lower,
            "both": comparison.both,
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
