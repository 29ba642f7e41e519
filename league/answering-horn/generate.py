"""Inputs of answering-horn: blasts as an answer ends, memories just too old, chains of answers, and long lists."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 3 or not isinstance(given[0], list):
        raise ValueError("not three arguments")
    blasts, length, patience = given
    if type(length) is not int or type(patience) is not int:
        raise ValueError("a number")
    if not 1 <= length <= 10**9 or not 0 <= patience <= 10**9 or len(blasts) > 8_000:
        raise ValueError("out of range")
    before = 0
    for blast in blasts:
        if type(blast) is not int or not before < blast <= 10**12:
            raise ValueError("a blast")
        before = blast


def _random(rng: random.Random, count: int, gap: int, length: int, patience: int) -> list[Any]:
    blasts, minute = [], 0
    for _ in range(count):
        minute += rng.randint(1, gap)
        blasts.append(minute)
    return [blasts, length, patience]


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(40_417)
    yield [[1, 2, 3, 8], 3, 1]
    yield [[2, 3, 5], 3, 1]
    yield [[4, 5, 9], 3, 1]
    yield [[2, 4, 5, 14], 5, 3]
    yield [[1, 3, 8], 6, 3]
    yield [[4, 6, 9, 10], 5, 10]
    yield [[], 3, 3]
    yield [[10**12], 10**9, 0]
    yield [[1, 2, 3, 4, 5, 6, 7], 1, 0]
    yield [[1, 2, 3, 4, 5, 6, 7], 3, 0]
    yield [[1, 2, 3, 4, 5, 6, 7], 3, 1]
    yield [[1, 6, 11, 12, 16, 17], 5, 0]
    yield [[5, 9, 15, 16, 40], 10, 6]
    yield [[5, 8, 15, 16, 40], 10, 6]
    for _ in range(11):
        length = rng.randint(2, 9)
        yield _random(rng, rng.randint(6, 12), rng.randint(2, 7), length, rng.randint(0, length))
    yield _random(rng, 300, 4, 7, 2)
    yield _random(rng, 400, 10**8, 10**9, 2 * 10**7)
    yield _random(rng, 1_000, 12, 5, 10**9)
    yield _random(rng, 8_000, 3, 1, 0)
    yield [[10**8 * at + at % 7 for at in range(1, 8_001)], 10**8 - 3, 10**9]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
