"""Inputs of berth-numbers: zero, single numbers, both sides of powers of ten, and ranges too long to walk."""

import json
import random
from collections.abc import Iterator

FAR = 10**15


def validate(given: list[int]) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    first, last = given
    if not (type(first) is int and type(last) is int and 0 <= first <= last <= FAR):
        raise ValueError("the range")


def inputs() -> Iterator[list[int]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_406)
    yield from ([8, 11], [0, 9], [95, 102])
    yield from ([0, 0], [1, 1], [0, 10], [10, 10], [9, 10], [99, 100], [100, 100], [101, 109], [1, 1000])
    yield from ([FAR, FAR], [FAR - 1, FAR], [10**9 - 1, 10**9 + 1], [1_000_000_007, 1_000_000_007])
    for power in (3, 4, 6):
        first = rng.randint(0, 10**power)
        yield [first, first + rng.randint(0, 10**4)]
    yield from ([0, 12_345], [5_000, 19_999], [1_020_304, 1_040_302])
    yield from ([0, FAR], [1, FAR - 1], [123_456_789, 987_654_321_012_345], [500_000_000_000_000, 500_005_000_000_000])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
