"""Inputs of plank-pile: equal heights of different planks, planks that vanish late, staircases, and the largest."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 2 or type(given[0]) is not int or not isinstance(given[1], list):
        raise ValueError("not a number and a list")
    posts, drops = given
    if not 2 <= posts <= 20_000 or not 1 <= len(drops) <= 20_000:
        raise ValueError("the size")
    if not all(type(place) is int and 1 <= place < posts for place in drops):
        raise ValueError("a place")


def _small(rng: random.Random) -> list[Any]:
    posts = rng.randint(2, 6)
    return [posts, [rng.randint(1, posts - 1) for _ in range(rng.randint(1, 14))]]


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_101)
    yield [4, [1, 3, 2, 2, 1]]
    yield [5, [2, 3, 2, 2, 3, 2]]
    yield [3, [1, 1, 1]]
    yield [2, [1]]
    yield [2, [1, 1]]
    yield [4, [1, 3, 2]]
    yield [5, [1, 4, 1, 4]]
    yield [4, [2, 1, 2]]
    yield [6, [3, 2, 4, 4, 2, 3, 5]]
    yield [6, [1, 2, 3, 4, 5, 5, 4, 3, 2, 1]]
    for _ in range(6):
        yield _small(rng)
    yield [9, [rng.randint(1, 8) for _ in range(400)]]
    yield [30, [rng.randint(1, 29) for _ in range(1_500)]]
    yield [4, [rng.randint(1, 3) for _ in range(3_000)]]
    yield [20_000, [1 + number % 2 for number in range(20_000)]]
    yield [60, [1, 2] * 5_000 + [10, 20, 31] * 3_300]
    yield [20_000, [*range(1, 20_000, 2), *range(1, 20_000, 4)]]
    yield [4_001, [*range(1, 4_001), *range(4_000, 0, -1)]]
    yield [3_000, [rng.randint(1, 2_999) for _ in range(4_000)]]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
