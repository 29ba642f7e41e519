"""Inputs of abacus-carries: each base, no carries, carries out of the first place, single numbers, and the widest ranges."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 4:
        raise ValueError("not four arguments")
    low, high, base, carries = given
    for ends in (low, high):
        if not isinstance(ends, list) or len(ends) != 2 or not all(type(end) is int and 0 <= end <= 10**9 for end in ends):
            raise ValueError("the ranges")
    if not (low[0] <= high[0] and low[1] <= high[1]):
        raise ValueError("an empty range")
    if type(base) is not int or type(carries) is not int or not 2 <= base <= 16 or not 0 <= carries <= 60:
        raise ValueError("the base or the carries")


def _random(rng: random.Random, high: int, base: int, carries: int) -> list[Any]:
    ends = [sorted((rng.randint(0, high), rng.randint(0, high))) for _ in range(2)]
    return [[ends[0][0], ends[1][0]], [ends[0][1], ends[1][1]], base, carries]


def _small(rng: random.Random) -> list[Any]:
    return _random(rng, rng.choice((5, 30, 60)), rng.randint(2, 11), rng.randint(0, 3))


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_123)
    big = 10**9
    yield [[0, 0], [9, 9], 10, 1]
    yield [[95, 5], [99, 5], 10, 1]
    yield [[0, 0], [7, 7], 2, 2]
    yield [[0, 0], [0, 0], 2, 0]
    yield [[0, 0], [0, 0], 2, 1]
    yield [[505, 505], [505, 505], 10, 2]
    yield [[555, 555], [555, 555], 10, 3]
    yield [[1, 999], [1, 999], 10, 1]
    yield [[150, 0], [199, 60], 10, 1]
    for _ in range(7):
        yield _random(rng, 60, rng.randint(2, 11), rng.randint(0, 3))
    yield [[0, 0], [big, big], 10, 0]
    yield [[0, 0], [big, big], 10, 5]
    yield [[0, 0], [big, big], 2, 11]
    yield [[1, 1], [big, big], 2, 15]
    yield [[0, 0], [big, big], 2, 16]
    yield [[0, 0], [big, 0], 7, 0]
    yield [[10**8, 10**6], [big, 10**7], 10, 3]
    for base, carries in ((2, 9), (3, 6), (16, 3), (10, 4), (13, 3), (5, 1)):
        yield _random(rng, big, base, carries)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
