"""Inputs of round-the-rock: all places of the rock in small seas, and edges, corners and middles of large ones."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    rows, columns, row, column = map(int, value.removesuffix("\n").split(" "))
    if value != f"{rows} {columns} {row} {column}\n":
        raise ValueError("format")
    if not (2 <= rows <= 75 and 2 <= columns <= 75 and 1 <= row <= rows and 1 <= column <= columns):
        raise ValueError("number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_803)
    cases = [(3, 3, 2, 2), (3, 5, 1, 2), (3, 5, 1, 3), (2, 2, 1, 1), (3, 3, 1, 1), (3, 3, 3, 1), (3, 3, 1, 2), (4, 5, 2, 2)]
    cases += [(3, 5, 2, 2), (3, 5, 2, 3), (5, 5, 2, 4), (5, 5, 3, 3), (5, 3, 5, 1), (5, 7, 1, 5), (7, 5, 4, 2), (2, 75, 1, 1)]
    cases += [(75, 75, 1, 1), (75, 75, 75, 75), (75, 75, 38, 38), (75, 75, 74, 2), (75, 75, 1, 75), (75, 75, 37, 75), (75, 75, 40, 41)]
    cases += [(75, 3, 38, 2), (3, 75, 3, 37), (74, 75, 10, 10), (73, 75, 72, 4)]
    cases += [(3, 2, 3, 1), (5, 4, 2, 4), (75, 74, 38, 38)]
    cases += [(73, 71, 2 * rng.randint(0, 36) + 1, 2 * rng.randint(0, 35) + 1)]
    for rows, columns, row, column in cases:
        yield f"{rows} {columns} {row} {column}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
