"""The newest problems beside the rows: each cell is a result, and a link to the answer behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from app.domain.boards.board import BoardRow
from app.domain.judging.verdicts import Verdict
from app.services.boards.board_views import BoardView
from app.services.evidence.answer_grid import GridCell, GridProblem, answer_grid
from web.board_tabs import board_href, row_key, row_name
from web.context import PageRequest

MAX_PROBLEMS: Final = 40
MAX_ROWS: Final = 40
# One character for each verdict of a single answer that was not accepted; the page lists them.
_MARKS: Mapping[str, str] = MappingProxyType(
    {
        Verdict.WRONG_ANSWER: "✗",
        Verdict.TIME_LIMIT: "T",
        Verdict.MEMORY_LIMIT: "M",
        Verdict.OUTPUT_LIMIT: "O",
        Verdict.RUNTIME_ERROR: "R",
        Verdict.COMPILE_ERROR: "C",
        Verdict.NO_ANSWER: "–",
    }
)


@dataclass(frozen=True, slots=True)
class GridCellLink:
    """A cell: `kind` is accepted, some (of several answers), wrong, failed or none; `verdict` names it for a reader."""

    kind: str
    mark: str
    verdict: str
    href: str | None
    seen: bool
    n: int
    c: int


@dataclass(frozen=True, slots=True)
class GridLine:
    """A row with its cells."""

    row: BoardRow
    key: str
    name: str
    cells: tuple[GridCellLink, ...]


@dataclass(frozen=True, slots=True)
class GridHead:
    """A problem as a column, with the contest that it opens, if it does: its title and how many columns it has."""

    problem: GridProblem
    title: str
    href: str


@dataclass(frozen=True, slots=True)
class ContestHead:
    """A contest over its columns."""

    title: str
    problems: int


@dataclass(frozen=True, slots=True)
class GridView:
    """The grid; `more` counts the rows without a line, `marks` are the (mark, verdict) pairs that it shows."""

    contests: tuple[ContestHead, ...]
    heads: tuple[GridHead, ...]
    lines: tuple[GridLine, ...]
    marks: tuple[tuple[str, str], ...]
    several: bool
    more: int
    table: str


def grid_view(page: PageRequest, view: BoardView) -> GridView:
    """Return the newest problems of the board beside its first rows."""
    rows = view.board.rows[:MAX_ROWS]
    with page.state.sessions() as session:
        grid = answer_grid(session, view.board.query, page.state.cubes, rows, MAX_PROBLEMS)
    lines = tuple(
        GridLine(line.row, row_key(line.row), row_name(line.row), tuple(_cell(page, cell) for cell in line.cells))
        for line in grid.rows
    )
    cells = [cell for line in lines for cell in line.cells]
    return GridView(
        contests=tuple(_contests(grid.problems)),
        heads=tuple(
            GridHead(
                problem,
                problem.titles.get(page.locale, problem.title),
                page.href(f"/problems/{problem.source}/{problem.external_id}"),
            )
            for problem in grid.problems
        ),
        lines=lines,
        marks=tuple(sorted({(cell.mark, cell.verdict) for cell in cells if cell.kind == "failed"})),
        several=any(cell.kind == "some" for cell in cells),
        more=len(view.board.rows) - len(rows),
        table=board_href(page),
    )


def _cell(page: PageRequest, cell: GridCell) -> GridCellLink:
    kind, mark, verdict = _kind(cell)
    href = None if cell.answer is None else page.href(f"/samples/{cell.answer}")
    return GridCellLink(kind, mark, verdict, href, cell.seen, cell.n, cell.c)


def _kind(cell: GridCell) -> tuple[str, str, str]:
    """Return the kind, mark and verdict of a cell."""
    if not cell.n:
        return "none", "·", "none"
    if cell.c == cell.n:
        return "accepted", "✓", Verdict.ACCEPTED
    if cell.c:
        return "some", str(cell.c), "some"
    verdict = cell.verdict if cell.n == 1 and cell.verdict and cell.verdict in _MARKS else Verdict.WRONG_ANSWER.value
    return "wrong" if verdict == Verdict.WRONG_ANSWER else "failed", _MARKS[verdict], verdict


def _contests(problems: Sequence[GridProblem]) -> list[ContestHead]:
    heads: list[ContestHead] = []
    for problem in problems:
        if problem.opens_contest:
            day = "" if problem.released_on is None else f"{problem.released_on:%m-%d}"
            heads.append(ContestHead(day, 1))
        else:
            heads[-1] = ContestHead(heads[-1].title, heads[-1].problems + 1)
    return heads
