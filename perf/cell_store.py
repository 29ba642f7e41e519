"""The cells of one protocol in a PostgreSQL of their own, written in bulk and read as the service reads them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

from numpy.typing import NDArray

from app.db.boards import bulk_cells, cells
from app.db.kernel import revision as board_state
from app.db.kernel.session import SessionMaker
from app.domain.asking.protocols import FRESH
from app.domain.boards.board import BoardQuery
from app.domain.cube.cube import Cube
from app.domain.cube.facts import Cell, RunFact
from app.domain.problems import ProblemFact
from perf.database import fresh_database


class CellStore:
    """A database with these problems and runs."""

    def __init__(self, sessions: SessionMaker, problems: Sequence[ProblemFact], runs: Sequence[RunFact]) -> None:
        self._sessions, self._problems, self._runs = sessions, problems, runs
        with sessions.begin() as session:
            self._protocol = bulk_cells.fill(session, FRESH, problems, runs)

    def load(self, n: NDArray[Any], c: NDArray[Any]) -> None:
        """Write a cell for every problem and run; `n` and `c` have the shape (problems, runs)."""
        columns = ((run.id, n[:, place], c[:, place]) for place, run in enumerate(self._runs))
        with self._sessions.begin() as session:
            bulk_cells.load(session, [problem.id for problem in self._problems], columns)

    def cube(self) -> Cube:
        """Return the cube as a web process builds it on a new host."""
        with self._sessions() as session:
            return Cube.of_arrays(self._problems, self._runs, cells.all_cells(session, self._protocol), 1)

    def count_verdict(self, run: int, problem: int) -> None:
        """Count one more verdict."""
        with self._sessions.begin() as session:
            bulk_cells.bump_cell(session, run, problem, board_state.next_revision(session))

    def changed_cells(self, after: int) -> tuple[list[Cell], int]:
        """Return the cells that have changed since a revision, and the present revision."""
        with self._sessions() as session:
            revision = board_state.current(session)[0]
            return list(cells.changed_cells(session, self._protocol, after)), revision

    def sql_means(self, query: BoardQuery) -> dict[int, float]:
        """Return each run's mean over the query's problems, computed by SQL alone."""
        parameters = {
            "first": query.window.start or date.min,
            "last": query.window.end or date.max,
            "platforms": list(query.platforms),
            "levels": [str(level) for level in query.levels],
        }
        with self._sessions() as session:
            return bulk_cells.means(session, parameters)


@contextmanager
def cell_store(problems: Sequence[ProblemFact], runs: Sequence[RunFact]) -> Iterator[CellStore]:
    """Yield a temporary database with these problems and runs and no cells."""
    with fresh_database() as sessions:
        yield CellStore(sessions, problems, runs)
