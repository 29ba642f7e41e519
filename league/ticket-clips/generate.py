"""Inputs of ticket-clips: no rides, both ends of the night, rides exactly at the end of the span, returns, and many rides."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 3 or not isinstance(given[0], list):
        raise ValueError("not three arguments")
    rides, fields, span = given
    if type(fields) is not int or type(span) is not int or not 2 <= fields <= 20 or not 0 <= span <= 10_000:
        raise ValueError("a number")
    if len(rides) > 2_000:
        raise ValueError("too many rides")
    last = 0
    for ride in rides:
        if not isinstance(ride, list) or len(ride) != 3 or not all(type(value) is int for value in ride):
            raise ValueError("a ride")
        if not last <= ride[0] <= 10**9 or not 1 <= ride[1] <= 50 or ride[2] not in (0, 1):
            raise ValueError("a number of a ride")
        last = ride[0]


def _random(rng: random.Random, count: int, gap: int, lines: int, fields: int, span: int, start: int = 0) -> list[Any]:
    rides, minute = [], start
    for _ in range(count):
        minute += rng.randint(0, gap)
        rides.append([minute, rng.randint(1, lines), rng.randint(0, 1)])
    return [rides, fields, span]


def _small(rng: random.Random) -> list[Any]:
    return _random(rng, rng.randint(0, 9), rng.choice((40, 500)), 2, rng.randint(2, 5), rng.choice((30, 60)), rng.randint(0, 1_500))


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_130)
    yield [[[600, 3, 0], [620, 7, 1], [660, 3, 1], [661, 5, 0]], 4, 60]
    yield [[[1370, 1, 0], [1375, 1, 1], [1400, 1, 0]], 3, 90]
    yield [[[1379, 2, 0], [1380, 2, 0], [1739, 2, 0], [1740, 2, 0]], 5, 0]
    yield [[], 2, 60]
    yield [[[0, 1, 0]], 2, 0]
    yield [[[300, 1, 0], [300, 1, 0], [300, 1, 1], [300, 2, 0]], 2, 0]
    yield [[[299, 1, 1], [300, 1, 1]], 3, 0]
    yield [[[500, 4, 0], [510, 4, 1], [520, 4, 0], [530, 6, 1], [570, 4, 0], [591, 4, 0]], 2, 60]
    yield [[[1439, 1, 0], [1440, 2, 0], [1441, 2, 1], [2820, 1, 0], [2880, 9, 1]], 3, 60]
    for _ in range(8):
        yield _random(rng, rng.randint(4, 9), rng.choice((40, 500)), 2, rng.randint(2, 5), rng.choice((30, 60)), rng.randint(0, 1_500))
    yield _random(rng, 60, 90, 3, 4, 60)
    yield _random(rng, 300, 40, 2, 3, 75, 1_300)
    yield _random(rng, 1_000, 30, 4, 7, 45)
    yield _random(rng, 1_200, 400, 50, 20, 120)
    yield _random(rng, 900, 10**5, 5, 5, 10_000)
    yield _random(rng, 700, 10, 2, 2, 0, 1_100)
    yield [[[at * 60, 1 + at % 3, at % 2] for at in range(1_500)], 6, 60]
    yield [[[at * 61, 1 + at % 3 // 2, at % 2] for at in range(1_500)], 3, 60]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
