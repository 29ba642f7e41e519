"""Inputs of flap-board: departures on a board of rows and cells, and the rows that leave it."""

import json
import random
import string
from collections.abc import Iterator

FLAPS = "_" + string.ascii_uppercase + string.digits


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    lines = value.split("\n")
    rows, cells, trains = map(int, lines[0].split(" "))
    texts, count, events = lines[1 : trains + 1], int(lines[trains + 1]), lines[trains + 2 : -1]
    if value != "\n".join([f"{rows} {cells} {trains}", *texts, str(count), *events, ""]) or len(texts) != trains:
        raise ValueError("format")
    if not (1 <= rows <= 10 and 1 <= cells <= 20 and 1 <= trains <= 200 and 1 <= count <= 200 and count == len(events)):
        raise ValueError("size")
    if not all(len(text) == cells and set(text) <= set(FLAPS) for text in texts):
        raise ValueError("text")
    if not all(event == str(int(event)) and 1 <= int(event) <= rows for event in events):
        raise ValueError("event")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_101)

    def make(rows: int, cells: int, texts: list[str], events: list[int]) -> str:
        return "\n".join([f"{rows} {cells} {len(texts)}", *texts, str(len(events)), *map(str, events), ""])

    def some(rows: int, cells: int, trains: int, count: int, flaps: str = FLAPS) -> str:
        texts = ["".join(rng.choice(flaps) for _ in range(cells)) for _ in range(trains)]
        return make(rows, cells, texts, [rng.randint(1, rows) for _ in range(count)])

    yield make(2, 3, ["AB_", "AC1", "_B9"], [1, 2, 1])
    yield make(1, 1, ["B", "A"], [1, 1, 1])
    yield make(3, 4, ["ROME", "BERN"], [3, 1, 2])
    yield make(1, 1, ["_"], [1])
    yield make(1, 1, ["9"], [1, 1])
    yield make(2, 1, ["A", "_", "A", "_"], [1, 1, 1, 1])
    yield make(2, 2, ["AA", "AA", "AA"], [2, 2, 1])
    yield make(10, 1, ["Z"], [10, 9, 1])
    yield make(4, 2, ["A0", "Z9", "_Z", "0_", "99", "__"], [4, 3, 2, 1, 1, 1, 1])
    for rows, cells, trains, count in ((2, 3, 4, 5), (3, 2, 9, 12), (4, 5, 10, 14), (5, 8, 30, 30), (10, 4, 12, 9)):
        yield some(rows, cells, trains, count)
    yield some(3, 6, 40, 40, "_A")
    yield some(7, 6, 40, 60, "9_")
    for rows, cells in ((1, 20), (5, 20), (10, 8), (10, 20)):
        yield some(rows, cells, rng.randint(80, 120), rng.randint(80, 130))
    yield make(10, 20, ["_" * 20] * 5, [1, 10, 5])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
