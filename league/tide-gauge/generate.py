"""Inputs of tide-gauge: ripples on both marks, stretches that never end, and a long calm between the marks."""

import json
import random
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    if not isinstance(given, list) or len(given) != 3 or not isinstance(given[0], list):
        raise ValueError("not levels, low and high")
    levels, low, high = given
    if not 1 <= len(levels) <= 20_000:
        raise ValueError("the length of levels")
    if not all(type(each) is int and -10_000 <= each <= 10_000 for each in (*levels, low, high)):
        raise ValueError("a level or a mark")
    if not low < high:
        raise ValueError("the order of the marks")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_311)
    yield [[110, 150, 140, 120, 100, 130, 155, 90], 100, 150]
    yield [[5, 9, 7, 6, 8, 7], 5, 9]
    yield [[-3, -2, -1], -2, 0]
    yield [[1], 0, 1]
    yield [[0], 0, 1]
    yield [[0, 1, 0, 1, 0, 1, 0, 1], 0, 1]
    yield [[3, 3, 3, 1, 3, 3, 3, 3], 1, 3]
    yield [[4, 4, 4, 4, 1, 4, 4], 1, 4]
    yield [[10_000, -10_000, 10_000, 0, 0, 0], -10_000, 10_000]
    yield [[-10_000, -10_000, 9_999, 9_999], -10_000, 10_000]
    # Every four readings below, between and above the marks, end to end: the alarm meets each from both states.
    yield [[level for four in product((0, 1, 2), repeat=4) for level in four], 0, 2]
    for size in (6, 8, 10, 12, 16, 20):
        yield [[rng.randint(0, 4) for _ in range(size)], 1, 3]
    for size, low, high in ((60, -2, 2), (200, -6, 5), (700, -1, 0), (3_000, -20, 25)):
        level, walk = 0, []
        for _ in range(size):
            level = max(-40, min(40, level + rng.randint(-4, 4)))
            walk.append(level)
        yield [walk, low, high]
    yield [[rng.choice((-10_000, 0, 10_000)) for _ in range(5_000)], -10_000, 10_000]
    yield [[7, -7] * 10_000, -7, 7]
    yield [[9] + [rng.randint(1, 8) for _ in range(19_998)] + [0], 0, 9]
    yield [[rng.randint(1, 8) for _ in range(11_000)] + [9] + [rng.randint(1, 8) for _ in range(8_999)], 0, 9]


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
