"""Inputs of engine-speed: drifting, one strong counter-current, answers just above it and far above all, long routes."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    legs, currents, hours = given
    if not 1 <= len(legs) <= 4000 or len(currents) != len(legs):
        raise ValueError("the number of legs")
    if not all(type(leg) is int and 1 <= leg <= 1000 for leg in legs):
        raise ValueError("a leg")
    if not all(type(current) is int and -20 <= current <= 20 for current in currents):
        raise ValueError("a current")
    if not (type(hours) is int and 1 <= hours <= 1_000_000):
        raise ValueError("the hours")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_409)

    def route(count: int, longest: int, low: int, high: int, hours: int) -> list[Any]:
        legs = [rng.randint(1, longest) for _ in range(count)]
        return [legs, [rng.randint(low, high) for _ in range(count)], hours]

    yield from ([[30, 30], [2, -3], 6], [[12, 8], [4, 2], 7], [[100], [-5], 10])
    yield from ([[1], [0], 1], [[1], [0], 1_000_000], [[1000], [20], 50], [[1000], [20], 49], [[1000], [-20], 1])
    yield from ([[10, 10], [0, 0], 3], [[5, 1], [20, -20], 1_000_000], [[7, 7, 7], [-20, 0, 20], 1])
    yield from ([[1, 1000], [-1, 20], 60], [[60, 1], [20, 1], 4], [[60, 1], [20, 1], 3], [[10], [3], 3], [[3, 7, 5], [2, 4, 3], 4])
    for count, hours in ((3, 5), (5, 40), (8, 100), (20, 300), (50, 700)):
        yield route(count, 100, -9, 9, hours)
    yield route(400, 1000, 1, 20, 1_000_000)
    yield route(400, 1000, -20, -15, 9_000)
    yield [[1] * 399 + [1000], [20] * 399 + [-20], 1_000_000]
    yield route(4_000, 1000, -20, 20, 1)
    yield route(4_000, 1000, -20, 20, 70_000)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
