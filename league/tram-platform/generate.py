"""Inputs of tram-platform: days with one tram, with trams round midnight, and with hardly any quiet minute."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    arrivals, stay = value
    if not (type(arrivals) is list and 1 <= len(arrivals) <= 300 and type(stay) is int and 1 <= stay <= 120):
        raise ValueError("size")
    if not all(type(each) is str and re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", each) for each in arrivals):
        raise ValueError("time")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_801)

    def clock(minutes: list[int]) -> list[str]:
        return [f"{minute % 1440 // 60:02}:{minute % 60:02}" for minute in minutes]

    def some(count: int, first: int, last: int, stay: int) -> list[Any]:
        return [clock([rng.randint(first, last) for _ in range(count)]), stay]

    yield [["23:58", "06:00", "05:59", "12:00"], 5]
    yield [["00:00", "12:00"], 10]
    yield [["08:30"], 1]
    yield [["00:00"], 120]
    yield [["23:59"], 2]
    yield [["23:00"], 60]
    yield [["23:00", "00:00"], 60]
    yield [clock(list(range(0, 1440, 120))), 120]
    yield [clock(list(range(7, 1447, 60))), 60]
    yield [clock(list(range(7, 1447, 60))), 59]
    yield [clock(list(range(0, 1440, 60))), 30]
    yield [["10:00", "10:00", "10:00"], 15]
    yield [["13:00", "01:00"], 7]
    yield [["01:00", "13:00", "07:00", "19:00"], 100]
    yield [["22:00", "10:00", "23:30"], 90]
    for count, first, last, stay in ((3, 0, 1439, 30), (6, 1200, 1700, 20), (12, 0, 1439, 45), (40, 0, 1439, 12), (300, 0, 1439, 3)):
        yield some(count, first, last, stay)
    yield some(300, 0, 1439, 1)
    yield some(300, 0, 1439, 9)
    yield some(200, 600, 2000, 120)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
