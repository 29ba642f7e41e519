"""Sizes of a board's problems and items as histograms: tests, and code and steps of derived items; and the branch
coverage of its unittest tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from typing_extensions import TypedDict

from app.db.boards import sizes as store
from app.db.kernel.session import Session
from app.domain.boards.board import Board
from app.domain.boards.selection import Selection
from app.domain.unittests.reference import BranchCoverage
from app.services.boards.cubes import LoadedProtocol

# First value of each band; the last band has no end.
_EDGES: Final = {
    "tests": (1, 2, 5, 10, 20, 50, 100),
    "characters": (1, 100, 200, 300, 400, 500, 1000),
    "steps": (1, 10, 30, 100, 300, 1000),
}


SizeBand = TypedDict("SizeBand", {"from": int, "to": int | None, "count": int})
SizeBand.__doc__ = "How many sizes are from `from` up to, and without, `to`."


@dataclass(frozen=True, slots=True)
class SizeHistogram:
    """The distribution of `n` sizes."""

    name: str  # tests of problems, or characters of code or bytecode steps of derived items
    n: int
    bands: tuple[SizeBand, ...]


@dataclass(frozen=True, slots=True)
class TaskCoverage:
    """A problem judged by unittests: its tests, and the branches of its reference that they took."""

    problem: str  # source/name
    tests: int
    branches: int | None  # unless measured when the problem was admitted
    taken: int | None
    coverage: float | None  # percent; None without branches


@dataclass(frozen=True, slots=True)
class UnittestCoverage:
    """A board's unittest tasks; the means are over the measured ones."""

    measured: int
    tests: float | None
    coverage: float | None  # of those with branches
    tasks: tuple[TaskCoverage, ...]  # least coverage first


def unittest_tasks(session: Session, board: Board, loaded: LoadedProtocol) -> UnittestCoverage:
    """Return the unittest tasks among a board's problems, over its window and with its filters."""
    listed: list[tuple[tuple[str, str], TaskCoverage]] = []
    for source, name, functions, measured in store.count_unittests(session, _problem_ids(board, loaded)):
        task = TaskCoverage(f"{source}/{name}", functions, None, None, None)
        if measured is not None:
            covered = BranchCoverage(**measured)
            task = TaskCoverage(task.problem, covered.tests, covered.branches, covered.taken, covered.share)
        listed.append(((source, name), task))
    listed.sort(key=lambda pair: (pair[1].coverage is None, pair[1].coverage or 0.0, pair[0]))
    tasks = tuple(task for _name, task in listed)
    measured_tests = [task.tests for task in tasks if task.branches is not None]
    shares = [task.coverage for task in tasks if task.coverage is not None]
    return UnittestCoverage(len(measured_tests), _mean(measured_tests), _mean(shares), tasks)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _problem_ids(board: Board, loaded: LoadedProtocol) -> list[int]:
    axes = loaded.cube.axes
    ids: list[int] = axes.ids[Selection.of(axes, board.query).chosen].tolist()
    return ids


def sizes(session: Session, board: Board, loaded: LoadedProtocol) -> list[SizeHistogram]:
    """Return the histograms that a board's problems have values for, over its window and with its filters."""
    ids = _problem_ids(board, loaded)
    characters, steps = store.derived_sizes(session, ids, loaded.protocol.protocol.scenario)
    values = {"tests": store.count_tests(session, ids), "characters": characters, "steps": steps}
    return [_histogram(name, numbers) for name, numbers in values.items() if numbers]


def _histogram(name: str, values: Sequence[int]) -> SizeHistogram:
    edges = _EDGES[name]
    bands = [
        SizeBand(
            {
                "from": start,
                "to": end,
                "count": sum(start <= value and (end is None or value < end) for value in values),
            }
        )
        for start, end in zip(edges, (*edges[1:], None), strict=True)
    ]
    return SizeHistogram(name, len(values), tuple(bands))
