"""Inputs of reef-paths: walls, diagonals and clusters of reefs, charts one square wide, charts too large to fill."""

import json
import random
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    if not isinstance(given, list) or len(given) != 4 or not isinstance(given[2], list):
        raise ValueError("not east, north, reefs and scratches")
    east, north, reefs, scratches = given
    if not all(isinstance(reef, list) and len(reef) == 2 for reef in reefs):
        raise ValueError("a reef that is not a pair")
    if not all(type(value) is int for value in (east, north, scratches, *(each for reef in reefs for each in reef))):
        raise ValueError("a number that is not whole")
    if not (0 <= east <= 20_000 and 0 <= north <= 20_000 and 0 <= scratches <= 3 and len(reefs) <= 120):
        raise ValueError("a size")
    if not all(0 <= x <= east and 0 <= y <= north for x, y in reefs):
        raise ValueError("a reef off the chart")
    squares = {(x, y) for x, y in reefs}
    if len(squares) != len(reefs) or squares & {(0, 0), (east, north)}:
        raise ValueError("a reef twice, or on the start or the destination")


def _random(rng: random.Random, east: int, north: int, count: int, scratches: int) -> list[Any]:
    reefs: set[tuple[int, int]] = set()
    while len(reefs) < count:
        reefs.add((rng.randint(0, east), rng.randint(0, north)))
        reefs -= {(0, 0), (east, north)}
    order = sorted(reefs)
    rng.shuffle(order)
    return [east, north, [list(reef) for reef in order], scratches]


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_320)
    yield [2, 2, [[1, 1]], 0]
    yield [3, 2, [[1, 1], [2, 1], [1, 0]], 1]
    yield [1, 1, [[1, 0], [0, 1]], 0]
    yield [0, 0, [], 0]
    yield [0, 5, [[0, 3], [0, 1]], 1]
    yield [0, 5, [[0, 3], [0, 1]], 2]
    yield [20_000, 0, [[10_000, 0]], 1]
    yield [4, 4, [[4, 3], [3, 4], [0, 1], [1, 0]], 2]
    yield [4, 4, [[x, 4 - x] for x in range(5)], 1]
    yield [4, 4, [[x, 4 - x] for x in range(5)], 0]
    yield [2, 3, [list(square) for square in product(range(3), range(4)) if square not in ((0, 0), (2, 3))], 3]
    for east, north, count, scratches in ((3, 4, 4, 1), (5, 5, 8, 2), (6, 4, 10, 3), (7, 7, 9, 0), (8, 8, 20, 3)):
        yield _random(rng, east, north, count, scratches)
    yield _random(rng, 60, 40, 120, 2)
    yield [300, 300, [[145 + x, 145 + y] for x, y in product(range(11), range(10))], 3]
    yield [500, 400, [[4 * at, 3 * at] for at in range(1, 121)], 1]
    yield _random(rng, 20_000, 7, 120, 3)
    yield [20_000, 20_000, [], 0]
    yield _random(rng, 20_000, 20_000, 120, 1)
    yield [20_000, 20_000, [[10_000 - 60 + at, 10_000 + 60 - at] for at in range(120)], 2]
    yield _random(rng, 20_000, 19_999, 120, 3)


def main() -> None:
    if sys.argv[1:] != ["validate"]:
        for given in inputs():
            print(json.dumps(given))
        return
    for line in sys.stdin:
        try:
            validate(json.loads(line))
            print("ok")
        except ValueError as wrong:
            print(f"wrong: {wrong}")


if __name__ == "__main__":
    main()
