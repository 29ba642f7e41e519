"""Inputs of lamp-code: short rows in full, and long rows with patterns and numbers of every kind."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    lamps, gap, queries = value
    if not (type(lamps) is int and type(gap) is int and 1 <= gap <= lamps <= 80):
        raise ValueError("size")
    if not (type(queries) is list and 1 <= len(queries) <= 200):
        raise ValueError("queries")
    for query in queries:
        if not re.fullmatch(r"[01]+|#[1-9][0-9]{0,18}", query):
            raise ValueError("query")
        if query[0] == "#" and int(query[1:]) > 10**18 or query[0] != "#" and len(query) != lamps:
            raise ValueError("range")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_203)

    def pattern(lamps: int, gap: int, lit: float) -> str:
        row, at = ["0"] * lamps, 0
        while at < lamps:
            if rng.random() < lit:
                row[at] = "1"
                at += gap
            at += 1
        return "".join(row)

    def count(lamps: int, gap: int) -> int:
        ways = [1] * (gap + 1)
        for _ in range(lamps):
            ways.append(ways[-1] + ways[-1 - gap])
        return ways[-1]

    def some(lamps: int, gap: int, queries: int) -> list[Any]:
        top = min(count(lamps, gap), 10**18)
        asked = [f"#{rng.randint(1, top)}" for _ in range(queries // 2 - 2)] + [f"#{top}", f"#{min(top + 1, 10**18)}"]
        asked += [pattern(lamps, gap, rng.choice((0.2, 0.5, 0.9))) for _ in range(queries // 2 - 2)]
        asked += [pattern(lamps, gap - 1, 0.7) for _ in range(2)]
        rng.shuffle(asked)
        return [lamps, gap, asked]

    yield [3, 1, ["#1", "#2", "#3", "#4", "#5", "#6", "011"]]
    yield [4, 2, ["0000", "1001", "1000", "#5", "0101"]]
    yield [6, 1, ["101010", "#14"]]
    yield [1, 1, ["0", "1", "#1", "#2", "#3"]]
    yield [2, 1, ["00", "01", "10", "11", "#1", "#2", "#3", "#4"]]
    yield [2, 2, ["10", "01", "11", "#3"]]
    yield [5, 1, [f"{number:05b}" for number in range(32)]]
    yield [5, 2, [f"#{number}" for number in range(1, 12)]]
    yield [6, 5, [f"#{number}" for number in range(1, 9)] + ["100001"]]
    yield [7, 3, [f"{number:07b}" for number in range(128)]]
    yield [9, 1, [f"#{number}" for number in range(1, 91)]]
    for lamps, gap in ((10, 2), (12, 1), (16, 4), (20, 1), (30, 2), (40, 39), (40, 40)):
        yield some(lamps, gap, 20)
    for lamps, gap in ((60, 1), (80, 1), (80, 2), (80, 3), (79, 7), (80, 80)):
        yield some(lamps, gap, 200)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
