"""How large a board's problems and items are, as histograms: tests, and code and steps of derived items; and what the
unittests of its tasks reach."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from app.db.boards import sizes as store
from app.db.kernel.session import Session
from app.domain.boards.board import Board
from app.domain.boards.selection import Selection
from app.domain.unittests.reference import Covered
from app.services.boards.cubes import Loaded

# The first value of each band; the last one has no end.
_EDGES: Final = {
    "tests": (1, 2, 5, 10, 20, 50, 100),
    "characters": (1, 100, 200, 300, 400, 500, 1000),
    "steps": (1, 10, 30, 100, 300, 1000),
}


class Band(NamedTuple):
    """How many values there are from `start` up to, and without, `end`."""

    start: int
    end: int | None
    size: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """How `n` things are distributed: tests of problems, or characters of code or bytecode steps of derived items."""

    name: str
    n: int
    bands: tuple[Band, ...]


class Task(NamedTuple):
    """A problem that is judged by unittests: how many tests it has, and how much of its reference they reached when it
    was admitted; None where nobody measured that."""

    source: str
    name: str
    tests: int
    covered: Covered | None

    @property
    def share(self) -> float | None:
        """Branch coverage in percent; None where it is not known, or there are no branches."""
        return None if self.covered is None else self.covered.share


@dataclass(frozen=True, slots=True)
class Tasks:
    """A board's tasks, those of the least branch coverage first, and the means over those that are measured: tests, and
    coverage where there are branches."""

    tasks: tuple[Task, ...]
    measured: int
    tests: float | None
    share: float | None


def tasks(session: Session, board: Board, loaded: Loaded) -> Tasks:
    """The tasks of a board's problems, over its window and with its filters."""
    found: list[Task] = []
    for source, name, functions, measured in store.unittests(session, _ids(board, loaded)):
        covered = None if measured is None else Covered(**measured)
        found.append(Task(source, name, functions if covered is None else covered.tests, covered))
    found.sort(key=lambda one: (one.share is None, one.share or 0.0, one.source, one.name))
    measured_tests = [one.tests for one in found if one.covered is not None]
    shares = [one.share for one in found if one.share is not None]
    return Tasks(tuple(found), len(measured_tests), _mean(measured_tests), _mean(shares))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _ids(board: Board, loaded: Loaded) -> list[int]:
    axes = loaded.cube.axes
    ids: list[int] = axes.ids[Selection.of(axes, board.query).chosen].tolist()
    return ids


def sizes(session: Session, board: Board, loaded: Loaded) -> list[Histogram]:
    """Those of which a board's problems have any, over its window and with its filters."""
    ids = _ids(board, loaded)
    characters, steps = store.derived(session, ids, loaded.protocol.protocol.scenario)
    values = {"tests": store.tests(session, ids), "characters": characters, "steps": steps}
    return [_histogram(name, found) for name, found in values.items() if found]


def _histogram(name: str, values: Sequence[int]) -> Histogram:
    edges = _EDGES[name]
    bands = [
        Band(start, end, sum(start <= value and (end is None or value < end) for value in values))
        for start, end in zip(edges, (*edges[1:], None), strict=True)
    ]
    return Histogram(name, len(values), tuple(bands))


def tasks_json(found: Tasks) -> dict[str, Any]:
    """As the API gives them; `coverage` is in percent, null without branches or where `branches` are not known."""
    return {
        "measured": found.measured,
        "tests": found.tests,
        "coverage": found.share,
        "tasks": [
            {"problem": f"{one.source}/{one.name}", "tests": one.tests,
             "branches": None if one.covered is None else one.covered.branches,
             "taken": None if one.covered is None else one.covered.taken, "coverage": one.share}
            for one in found.tasks
        ],
    }  # fmt: skip


def as_json(found: Sequence[Histogram]) -> list[dict[str, Any]]:
    """As the API gives them; the end of a band is not in it, and null where it has none."""
    return [
        {"name": one.name, "n": one.n,
         "bands": [{"from": start, "to": end, "count": size} for start, end, size in one.bands]}
        for one in found
    ]  # fmt: skip
