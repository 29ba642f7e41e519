"""Inputs of chime-log: clocks that are set forward, back, and both, by minutes and by many days."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    changes, first, last, chimes = value
    if not (type(changes) is list and len(changes) <= 1500 and 1 <= len(chimes) <= 300):
        raise ValueError("size")
    before = 0
    for minute, shift in changes:
        if not (type(minute) is int and type(shift) is int and before < minute <= 10**12 and 1 <= abs(shift) <= 10**6):
            raise ValueError("change")
        before = minute
    if not (type(first) is int and type(last) is int and 0 <= first <= last <= 10**12):
        raise ValueError("range")
    if not all(type(each) is str and re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", each) for each in chimes):
        raise ValueError("chime")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_804)

    def clock(minute: int) -> str:
        return f"{minute // 60:02}:{minute % 60:02}"

    def some(count: int, end: int, most: int, chimes: int) -> list[Any]:
        minutes = sorted(rng.sample(range(1, end + 1), count))
        first, last = sorted(rng.randint(0, min(10**12, end + end // 4)) for _ in range(2))
        changes = [[minute, rng.choice((-1, 1)) * rng.randint(1, most)] for minute in minutes]
        return [changes, first, last, [clock(rng.randrange(1440)) for _ in range(chimes)]]

    yield [[[120, 60]], 0, 1500, ["01:59", "02:00", "02:59", "03:00", "00:05"]]
    yield [[[180, -60]], 0, 200, ["01:59", "02:00", "02:30", "03:00"]]
    yield [[[100, 50], [160, -100]], 0, 400, ["01:45", "02:20", "03:00", "03:20", "05:00"]]
    yield [[], 0, 0, ["00:00", "00:01"]]
    yield [[], 5, 1444, ["00:04", "00:05", "12:00"]]
    yield [[], 0, 10**12, ["00:00", "23:59", "17:00"]]
    yield [[[1, -1]], 0, 1, ["00:00", "23:59", "00:01"]]
    yield [[[10, -1000]], 0, 3000, ["00:05", "07:30", "00:10", "23:00"]]
    yield [[[100, -50], [140, -50], [200, 300]], 0, 600, ["00:50", "01:00", "01:30", "02:00", "05:30"]]
    yield [[[100, 1440], [200, -1440]], 0, 2000, ["01:00", "01:50", "02:30", "03:20"]]
    yield [[[100, 1440], [200, -2880], [300, 1441]], 150, 5000, ["01:00", "01:50", "02:30", "03:20", "04:00"]]
    yield [[[5, -5], [9, -9]], 3, 40, ["00:00", "00:01", "00:04", "23:55", "23:59", "00:20"]]
    yield [[[60, 30], [90, -30], [120, 30], [150, -30]], 80, 130, [clock(minute) for minute in range(60, 200, 10)]]
    for count, end, most, chimes in ((3, 50, 30, 10), (6, 300, 100, 20), (10, 3000, 1500, 30), (30, 9000, 500, 60), (60, 9000, 5000, 60)):
        yield some(count, end, most, chimes)
    yield some(200, 10**6, 10_000, 300)
    yield some(500, 10**9, 10**6, 300)
    yield [[[7 * at, -6 if at % 3 else 11] for at in range(1, 1501)], 100, 10**6, [clock(minute) for minute in range(0, 1440, 5)]]
    yield [[[at * 10**6, -(10**6)] for at in range(1, 1501)], 0, 10**12, [clock(minute) for minute in range(0, 1440, 5)]]
    yield [[[at * 1000, 500 if at % 2 else -999_000] for at in range(1, 1200)], 10**5, 10**12, [clock(each) for each in range(3, 1440, 7)]]
    yield some(1500, 10**12, 10**6, 300)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
