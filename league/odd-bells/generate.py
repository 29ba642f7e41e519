"""Inputs of odd-bells: bells with small and large periods, with common divisors, late starts and far ends."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    bells, first, last = value
    if not (type(bells) is list and 1 <= len(bells) <= 11):
        raise ValueError("bells")
    for start, period in bells:
        if not (type(start) is int and type(period) is int and 0 <= start <= 10**18 and 1 <= period <= 10**9):
            raise ValueError("bell")
    if not (type(first) is int and type(last) is int and 0 <= first <= last <= 10**18):
        raise ValueError("range")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_603)
    top = 10**18

    def some(count: int, start: int, period: int, last: int) -> list[Any]:
        return [[[rng.randint(0, start), rng.randint(1, period)] for _ in range(count)], rng.randint(0, last // 3), last]

    yield [[[0, 2], [0, 3]], 0, 11]
    yield [[[1, 4], [3, 6], [20, 1]], 2, 25]
    yield [[[0, 2], [1, 2]], 5, 5]
    yield [[[0, 1]], 0, top]
    yield [[[5, 1], [5, 1]], 0, 100]
    yield [[[10, 3]], 0, 9]
    yield [[[10, 3]], 10, 10]
    yield [[[0, 4], [2, 4], [1, 2]], 0, 1000]
    yield [[[0, 6], [3, 10], [3, 15]], 0, 10_000]
    yield [[[7, 10**9], [7, 10**9 - 1], [top, 1]], 0, top]
    yield [[[0, 2], [0, 4], [0, 8], [0, 16], [100, 2], [1000, 3]], 0, 5000]
    yield [[[3, 5], [3, 5], [3, 5]], 1, 400]
    yield [[[100, 3], [0, 2], [51, 5], [7, 4]], 0, 50]
    for count, start, period, last in ((2, 5, 6, 50), (3, 20, 8, 120), (4, 100, 12, 900), (5, 50, 30, 5000), (7, 9000, 6, 10_000)):
        yield some(count, start, period, last)
    yield some(9, 10**6, 100, 10**9)
    yield some(11, 10**12, 60, top)
    yield some(11, 10**17, 10, top)
    yield [[[rng.randint(0, 10**6), prime] for prime in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31)], 1, top]
    yield [[[rng.randint(0, 10**6), rng.randint(10**8, 10**9)] for _ in range(11)], 0, top]
    powers = [[rng.randint(0, 3) * 1001, 2**a * 3**b] for a in range(4) for b in range(3)][:11]
    yield [powers, 12_345, top]
    yield [[[7 + 12 * each, 6 * (each + 2)] for each in range(11)], 0, top - 1]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
