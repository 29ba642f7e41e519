"""Scores of a board's rows by month of release, inside and outside its window."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from app.db.kernel.session import Session
from app.domain.boards.board import BoardQuery, BoardRow
from app.domain.boards.selection import Selection
from app.domain.metrics.curves import MonthMean, monthly_scores
from app.services.boards.board_views import CubeStore, load_protocol


@dataclass(frozen=True, slots=True)
class RowTrend:
    """A row with its months, the earliest first; months without a judged problem are missing."""

    row: BoardRow
    months: tuple[MonthMean, ...]


def row_trends(
    session: Session, query: BoardQuery, cubes: CubeStore, rows: Sequence[BoardRow], months: int
) -> tuple[RowTrend, ...]:
    """Return the trends of some rows over the newest calendar `months` that have problems under the query's filters.

    The query's window plays no part. In split mode the months are those of each row's clean part.
    """
    loaded = load_protocol(session, query, cubes)
    axes, lineup = loaded.cube.axes, loaded.lineup
    problems = np.flatnonzero(Selection.of(axes, query).matching)
    if not problems.size or not rows:
        return tuple(RowTrend(row, ()) for row in rows)
    newest = date.fromordinal(int(axes.day[problems[-1]]))
    first = divmod(12 * newest.year + newest.month - months, 12)
    problems = problems[axes.day[problems] >= date(first[0], first[1] + 1, 1).toordinal()]
    columns = axes.columns_of(np.array([row.run for row in rows], dtype=np.int64))
    parts = [part for _, part in loaded.cube.pass_rates(problems, columns)]
    rates, graded = (np.concatenate([part[place] for part in parts]) for place in range(2))
    excluded = lineup.excluded_problems(axes, query)
    if excluded is not None:
        graded = graded & excluded.clean(problems, columns)
    days, clusters = axes.day[problems], axes.cluster[problems]
    return tuple(
        RowTrend(row, monthly_scores(days, rates[:, place], graded[:, place], clusters))
        for place, row in enumerate(rows)
    )
