"""Inputs of oil-spill: corners, walls, several spills that meet, cut-off pools, open bays, and one very long channel."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows, columns = (int(each) for each in lines[0].split(" "))
    if not (1 <= rows <= 120 and 1 <= columns <= 120) or len(lines) != rows + 2 or lines[-1]:
        raise ValueError("the size")
    if any(len(row) != columns or set(row) - set(".#o") for row in lines[1:-1]):
        raise ValueError("a row")
    if "o" not in given:
        raise ValueError("no oil")


def channel(rows: int, columns: int) -> list[str]:
    """One channel that winds through the whole bay, with the oil at its mouth."""
    grid = [["."] * columns for _ in range(rows)]
    for row in range(1, rows, 2):
        grid[row] = ["#"] * columns
        grid[row][columns - 1 if row % 4 == 1 else 0] = "."
    grid[0][0] = "o"
    return ["".join(row) for row in grid]


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_408)

    def bay(rows: int, columns: int, land: float, spills: int) -> list[str]:
        grid = [["#" if rng.random() < land else "." for _ in range(columns)] for _ in range(rows)]
        for _ in range(spills):
            grid[rng.randrange(rows)][rng.randrange(columns)] = "o"
        return ["".join(row) for row in grid]

    bays = [["o..#", ".##.", "...."], ["o.#.", "..#.", "###."], ["o...o"]]
    bays += [["o"], ["o#."], [".", "o", "."], ["o#", "#."], ["....", "....", "...o"], ["oo", "oo"], ["#.#", ".o.", "#.#"]]
    bays += [["o.......", "########", ".......o"], [".#.", "#o#", ".#."]]
    bays += [bay(rows, columns, 0.3, spills) for rows, columns, spills in ((3, 5, 1), (5, 4, 2), (8, 8, 1), (12, 9, 3), (20, 30, 2))]
    bays += [bay(1, 120, 0.02, 2), bay(120, 1, 0.0, 1), bay(60, 60, 0.42, 4)]
    bays += [["." * 120] * 119 + ["." * 119 + "o"], bay(120, 120, 0.25, 5)]
    bays += [channel(60, 61), channel(120, 119)]
    for grid in bays:
        yield f"{len(grid)} {len(grid[0])}\n" + "".join(f"{row}\n" for row in grid)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
