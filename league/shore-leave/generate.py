"""Inputs of shore-leave: limits met exactly, windows that cut a visit, days that become legal again, and long times."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 3 or not isinstance(given[0], list):
        raise ValueError("not three arguments")
    visits, window, limit = given
    if type(window) is not int or type(limit) is not int or not 1 <= limit <= window <= 10**15 or len(visits) > 4_000:
        raise ValueError("a number")
    before = -1
    for visit in visits:
        if not isinstance(visit, list) or len(visit) != 2 or not all(type(day) is int for day in visit):
            raise ValueError("a visit")
        if not before + 2 <= visit[0] <= visit[1] <= 10**15:
            raise ValueError("the days of a visit")
        before = visit[1]


def _random(rng: random.Random, count: int, stay: int, gap: int, window: int, limit: int) -> list[Any]:
    visits, day = [], rng.randint(1, gap)
    for _ in range(count):
        end = day + rng.randint(0, stay - 1)
        visits.append([day, end])
        day = end + 1 + rng.randint(1, gap)
    return [visits, window, limit]


def _small(rng: random.Random) -> list[Any]:
    window = rng.randint(1, 14)
    return _random(rng, rng.randint(0, 7), rng.randint(1, 6), rng.randint(1, 6), window, rng.randint(1, window))


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_133)
    big = 10**15
    yield [[[1, 3], [6, 9]], 7, 4]
    yield [[[10, 30]], 10, 9]
    yield [[[1, 2], [5, 6], [9, 10]], 5, 3]
    yield [[], 5, 5]
    yield [[[1, big]], big, big]
    yield [[[1, big]], big, big - 1]
    yield [[[1, big]], 1, 1]
    yield [[[3, 3], [5, 5], [7, 7], [9, 9]], 3, 1]
    yield [[[1, 4], [8, 8], [10, 12], [20, 21]], 8, 4]
    yield [[[1, 90], [181, 270], [361, 455]], 180, 90]
    for _ in range(7):
        window = rng.randint(5, 14)
        yield _random(rng, rng.randint(4, 8), 6, 6, window, rng.randint(2, window - 1))
    yield _random(rng, 100, 20, 30, 180, 90)
    yield _random(rng, 1_000, 40, 15, 90, 60)
    yield _random(rng, 600, 10**6, 10**6, 10**8, 5 * 10**7 + 10**5)
    yield _random(rng, 600, 3 * 10**10, 3 * 10**11, 10**13, 9 * 10**11)
    yield [[[5 * at + 1, 5 * at + 3] for at in range(4_000)], 10_000, 6_000]
    yield [[[5 * at + 1, 5 * at + 3] for at in range(4_000)], 10_001, 5_999]
    yield [[[10**11 * at + 1, 10**11 * at + 10**10] for at in range(1_500)], 10**14, 10**13]
    yield [[[10**11 * at + 1, 10**11 * at + 10**10 + at] for at in range(1_500)], 10**14, 10**13]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
