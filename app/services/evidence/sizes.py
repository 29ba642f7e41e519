"""How large a board's problems and items are, as histograms: tests, and code and steps of derived items."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from app.db.boards import sizes as store
from app.db.kernel.session import Session
from app.domain.boards.board import Board
from app.domain.boards.selection import Selection
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


def sizes(session: Session, board: Board, loaded: Loaded) -> list[Histogram]:
    """Those of which a board's problems have any, over its window and with its filters."""
    axes = loaded.cube.axes
    ids: list[int] = axes.ids[Selection.of(axes, board.query).chosen].tolist()
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


def as_json(found: Sequence[Histogram]) -> list[dict[str, Any]]:
    """As the API gives them; the end of a band is not in it, and null where it has none."""
    return [
        {"name": one.name, "n": one.n,
         "bands": [{"from": start, "to": end, "count": size} for start, end, size in one.bands]}
        for one in found
    ]  # fmt: skip
