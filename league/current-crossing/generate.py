"""Inputs of current-crossing: small bays, bays with currents of every rhythm, and large ones, some without a way."""

import json
import random
import re
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    lines = value.split("\n")
    rows, columns = map(int, lines[0].split(" "))
    if lines[0] != f"{rows} {columns}" or lines[-1] or len(lines) != rows + 3:
        raise ValueError("format")
    if not (1 <= rows <= 25 and 1 <= columns <= 25 and re.fullmatch("[NESW-]{1,6}", lines[1])):
        raise ValueError("size")
    chart = "".join(lines[2:-1])
    if not all(len(line) == columns for line in lines[2:-1]) or not set(chart) <= set(".#SG"):
        raise ValueError("chart")
    if chart.count("S") != 1 or chart.count("G") != 1:
        raise ValueError("ends")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_703)

    def make(current: str, chart: list[str]) -> str:
        return "\n".join([f"{len(chart)} {len(chart[0])}", current, *chart, ""])

    def some(rows: int, columns: int, current: str, rocks: float, corner: bool = False) -> str:
        cells = [["#" if rng.random() < rocks else "." for _ in range(columns)] for _ in range(rows)]
        places = [(row, column) for row in range(rows) for column in range(columns)]
        start, goal = ((0, 0), (rows - 1, columns - 1)) if corner else rng.sample(places, 2)
        cells[start[0]][start[1]], cells[goal[0]][goal[1]] = "S", "G"
        return make(current, ["".join(row) for row in cells])

    yield make("E-", ["S..G"])
    yield make("NS", ["..#", "S#G", "..."])
    yield make("W", ["S.", ".G"])
    yield make("-", ["SG"])
    yield make("E", ["S.G"])
    yield make("E", ["SG"])
    yield make("W", ["GS"])
    yield make("WE", ["S.#.G"])
    yield make("N-S", [".....", "..#..", "S.#.G", "..#..", "....."])
    yield make("EEW", ["S#G", "...", "..."])
    yield make("NNSS", ["....", "....", "S##G", "....", "...."])
    yield make("NESW", ["...", ".S.", "..G"])
    yield make("NSE", ["..#", "S.G", "..."])
    yield make("NSNSNE", ["....#", ".S..G", ".....", "....."])
    yield make("WEWEWS", ["......", "..S...", "......", ".....#", "#####G"])
    for rows, columns, current, rocks in ((4, 4, "ES", 0.2), (5, 6, "N-W", 0.2), (6, 5, "WE", 0.3), (7, 7, "NSEW", 0.15), (9, 8, "EEWW-", 0.2)):
        yield some(rows, columns, current, rocks)
        yield some(rows, columns, current[::-1], rocks)
    yield some(25, 25, "NESW-W", 0.05, corner=True)
    yield some(25, 25, "NNW-WE", 0.1, corner=True)
    yield some(25, 25, "------", 0.3)
    walled = ["." * 25 for _ in range(25)]
    walled[0] = "S" + "." * 24
    walled[23], walled[24] = "." * 23 + "##", "." * 23 + "#G"
    yield make("NS-EW-", walled)
    walled[23], walled[24] = "." * 25, "." * 24 + "G"
    yield make("NWNWNW", walled)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
