"""The newest problems of a board beside its rows: each row's result on each, and the answer behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from app.db.evidence import directory
from app.db.kernel.session import Session
from app.db.runs import results
from app.domain.boards.board import BoardQuery, BoardRow
from app.domain.boards.selection import Selection
from app.services.boards.board_views import CubeStore, load_protocol


@dataclass(frozen=True, slots=True)
class GridProblem:
    """A problem of the grid; `opens_contest` is true if the one before it is of another contest."""

    source: str
    external_id: str
    title: str
    titles: Mapping[str, str]
    contest: str | None
    released_on: datetime | None
    opens_contest: bool


@dataclass(frozen=True, slots=True)
class GridCell:
    """The result of a row on a problem: `c` of `n` judged answers accepted.

    `answer` is the first answer, None for imported results, and `verdict` its verdict, None while there is none. `seen`
    is true if the model may have seen the problem.
    """

    n: int
    c: int
    answer: int | None
    verdict: str | None
    seen: bool


@dataclass(frozen=True, slots=True)
class GridRow:
    """A row of the board with its cells, in the order of the grid's problems."""

    row: BoardRow
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class AnswerGrid:
    """The newest problems, contest by contest, and the rows."""

    problems: tuple[GridProblem, ...]
    rows: tuple[GridRow, ...]


def answer_grid(
    session: Session, query: BoardQuery, cubes: CubeStore, rows: Sequence[BoardRow], problems: int
) -> AnswerGrid:
    """Return the grid of some rows and the newest `problems` of the board of a query, the newest contest first."""
    loaded = load_protocol(session, query, cubes)
    axes, lineup = loaded.cube.axes, loaded.lineup.under_rules(query.rules)
    newest = np.flatnonzero(Selection.of(axes, query).chosen)[-problems:]
    columns = axes.columns_of(np.array([row.run for row in rows], dtype=np.int64))
    ids: list[int] = axes.ids[newest].tolist()
    n, c = loaded.cube.lines(newest, columns).by_problem()
    seen = ~lineup.seen_problems(axes).clean(newest, columns)
    answers = results.first_answers(session, [row.run for row in rows], ids)
    lines = directory.problems_by_id(session, ids)
    # By contest, the newest first, and inside a contest in its own order.
    order = sorted(range(len(ids)), key=lambda place: (-int(axes.cluster[newest[place]]), place))
    clusters = [int(axes.cluster[newest[place]]) for place in order]
    heads = tuple(
        GridProblem(
            source=line.source,
            external_id=line.external_id,
            title=line.title,
            titles=line.titles,
            contest=line.contest,
            released_on=line.released_on,
            opens_contest=number == 0 or clusters[number] != clusters[number - 1],
        )
        for number, line in enumerate(lines[ids[place]] for place in order)
    )
    nothing: tuple[int | None, str | None] = (None, None)

    def cell(row: BoardRow, column: int, place: int) -> GridCell:
        answer, verdict = answers.get((row.run, ids[place]), nothing)
        return GridCell(int(n[place, column]), int(c[place, column]), answer, verdict, bool(seen[place, column]))

    return AnswerGrid(
        heads,
        tuple(GridRow(row, tuple(cell(row, column, place) for place in order)) for column, row in enumerate(rows)),
    )
