"""Inputs of odometer-twins: every base, small and huge limits, distances with and without any twin."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    (queries,) = value
    if not (type(queries) is list and 1 <= len(queries) <= 4):
        raise ValueError("size")
    for base, distance, limit in queries:
        if not all(type(each) is int for each in (base, distance, limit)):
            raise ValueError("number")
        if not (2 <= base <= 36 and 0 <= distance <= 10**18 and 0 <= limit <= 10**18):
            raise ValueError("range")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_802)
    top = 10**18
    yield [[[10, 9, 100], [10, 18, 30]]]
    yield [[[2, 1, 7], [3, 4, 40]]]
    yield [[[16, 15, 1000], [10, 5, 1000], [7, 0, 12]]]
    yield [[[2, 0, 0], [2, 1, 0], [2, 1, 1], [36, 35, 1]]]
    yield [[[10, 9, 0], [10, 9, 1], [10, 9, 2], [10, 9, 9]]]
    yield [[[10, 99, 10_000], [10, 90, 10_000], [10, 81, 10_000], [10, 999, 10_000]]]
    yield [[[2, 3, 64], [2, 7, 200], [2, 6, 255], [2, 5, 256]]]
    yield [[[5, 24, 3000], [5, 4, 3124], [5, 124, 3125]]]
    yield [[[36, 35 * 37, 2000], [35, 34, 1999], [3, 26, 2000]]]
    yield [[[10, 1_000_008, 2000], [10, 10**9 - 1, 1500]]]
    for most in (50, 1000, 9999):
        yield [[[base, rng.randint(0, 60) * (base - 1), rng.randint(0, most)] for base in (2, 3, 4, 10)]]
    yield [[[base, rng.randint(1, 400) * (base - 1), rng.randint(1, 9000)] for base in (5, 6, 12, 20)]]
    yield [[[2, top, top], [3, top - top % 2, top], [10, 10**17 + 8, top]]]
    yield [[[2, 2**59 - 1, top], [2, 1, top]]]
    yield [[[10, top - 1, top], [10, 9, top], [10, top, top], [10, 99_999_999, top - 1]]]
    yield [[[36, 36**11 - 1, top], [36, 35, top], [35, 34 * 36, top]]]
    for _ in range(4):
        bases = [rng.randint(2, 36) for _ in range(3)]
        yield [[[base, rng.randint(1, 10**rng.randint(3, 16)) * (base - 1), rng.randint(1, top)] for base in bases]]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
