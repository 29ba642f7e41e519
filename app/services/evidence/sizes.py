"""Sizes of a board's problems and items as histograms: tests, and code and steps of derived items; and the branch
coverage of its unittest tasks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

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


class Band(NamedTuple):
    """Number of values from `start` up to, and without, `end`."""

    start: int
    end: int | None
    size: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """Distribution of `n` sizes: tests of problems, or characters of code or bytecode steps of derived items."""

    name: str
    n: int
    bands: tuple[Band, ...]


class UnittestTask(NamedTuple):
    """A problem judged by unittests: how many tests it has, and how much of its reference they reached when it was
    admitted; None if that was not measured."""

    source: str
    name: str
    tests: int
    covered: BranchCoverage | None

    @property
    def share(self) -> float | None:
        """Branch coverage in percent; None if it is not known, or there are no branches."""
        return None if self.covered is None else self.covered.share


@dataclass(frozen=True, slots=True)
class UnittestTasks:
    """A board's unittest tasks, least branch coverage first, and the means over measured ones.

    `tests` is the mean number of tests, `share` the mean coverage of those with branches.
    """

    tasks: tuple[UnittestTask, ...]
    measured: int
    tests: float | None
    share: float | None


def unittest_tasks(session: Session, board: Board, loaded: LoadedProtocol) -> UnittestTasks:
    """Return the unittest tasks among a board's problems, over its window and with its filters."""
    listed: list[UnittestTask] = []
    for source, name, functions, measured in store.count_unittests(session, _problem_ids(board, loaded)):
        covered = None if measured is None else BranchCoverage(**measured)
        listed.append(UnittestTask(source, name, functions if covered is None else covered.tests, covered))
    listed.sort(key=lambda task: (task.share is None, task.share or 0.0, task.source, task.name))
    measured_tests = [task.tests for task in listed if task.covered is not None]
    shares = [task.share for task in listed if task.share is not None]
    return UnittestTasks(tuple(listed), len(measured_tests), _mean(measured_tests), _mean(shares))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _problem_ids(board: Board, loaded: LoadedProtocol) -> list[int]:
    axes = loaded.cube.axes
    ids: list[int] = axes.ids[Selection.of(axes, board.query).chosen].tolist()
    return ids


def sizes(session: Session, board: Board, loaded: LoadedProtocol) -> list[Histogram]:
    """Return the histograms that a board's problems have values for, over its window and with its filters."""
    ids = _problem_ids(board, loaded)
    characters, steps = store.derived_sizes(session, ids, loaded.protocol.protocol.scenario)
    values = {"tests": store.count_tests(session, ids), "characters": characters, "steps": steps}
    return [_histogram(name, numbers) for name, numbers in values.items() if numbers]


def _histogram(name: str, values: Sequence[int]) -> Histogram:
    edges = _EDGES[name]
    bands = [
        Band(start, end, sum(start <= value and (end is None or value < end) for value in values))
        for start, end in zip(edges, (*edges[1:], None), strict=True)
    ]
    return Histogram(name, len(values), tuple(bands))


def tasks_json(table: UnittestTasks) -> dict[str, Any]:
    """Return the API's JSON; `coverage` is in percent, null without branches or if `branches` are not known."""
    return {
        "measured": table.measured,
        "tests": table.tests,
        "coverage": table.share,
        "tasks": [
            {"problem": f"{task.source}/{task.name}", "tests": task.tests,
             "branches": None if task.covered is None else task.covered.branches,
             "taken": None if task.covered is None else task.covered.taken, "coverage": task.share}
            for task in table.tasks
        ],
    }  # fmt: skip


def as_json(histograms: Sequence[Histogram]) -> list[dict[str, Any]]:
    """Return the API's JSON; a band does not include its end, which is null if it has none."""
    return [
        {"name": histogram.name, "n": histogram.n,
         "bands": [{"from": start, "to": end, "count": size} for start, end, size in histogram.bands]}
        for histogram in histograms
    ]  # fmt: skip
