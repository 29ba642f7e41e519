"""Inputs of guild-calendar: steps over every rule of the calendar, near and far, forward and back."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def leap(year: int) -> bool:
    """Whether the year has one day more."""
    return year % 4 == 0 and year % 128 != 0


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    dates, counts = value
    if not (1 <= len(dates) == len(counts) <= 60):
        raise ValueError("size")
    for date, count in zip(dates, counts, strict=True):
        if not re.fullmatch(r"[1-9][0-9]*-([1-9][0-9]?-[1-9][0-9]?|F-[1-5])", date):
            raise ValueError("date")
        year, month, day = date.split("-")
        if int(year) > 10**9 or not (type(count) is int and 1 <= abs(count) <= 10**12):
            raise ValueError("range")
        if month != "F" and not (int(month) <= 12 and int(day) <= 30 + (month == "12" and leap(int(year)))):
            raise ValueError("day")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_304)

    def date(year: int) -> str:
        month = rng.randint(1, 13)
        if month == 13:
            return f"{year}-F-{rng.randint(1, 5)}"
        day = rng.choice((rng.randint(1, 30 + (month == 12 and leap(year))), rng.randint(13, 19)))
        return f"{year}-{month}-{day}"

    def some(years: list[int], most: int, count: int = 60) -> list[Any]:
        return [[date(rng.choice(years)) for _ in range(count)], [rng.choice((-1, 1)) * rng.randint(1, most) for _ in range(count)]]

    yield [["1-1-4", "1-1-1", "1-1-1", "1-F-2"], [2, -1, 250, -1]]
    yield [["1-3-14", "2-3-14", "3-3-14", "10-7-5", "11-7-5"], [1, 1, 1, 1, 1]]
    yield [["4-12-29", "4-12-31", "4-12-31", "128-12-30"], [1, 1, -1, 1]]
    yield [["1-1-1"] * 4, [1, 1000, 10**6, 10**12]]
    yield [[f"1-1-{day}" for day in range(1, 11)] * 2, [1] * 10 + [-1] * 10]
    yield [[f"{year}-3-{day}" for year in range(1, 8) for day in range(14, 18)], [1] * 28]
    yield [[f"{year}-12-{day}" for year in range(1, 8) for day in range(14, 18)], [-1] * 28]
    yield [[f"{year}-7-{day}" for year in (10, 20, 30, 40) for day in range(1, 12)], [1] * 44]
    yield [[f"{year}-7-{day}" for year in (9, 10, 70, 90) for day in range(1, 12)], [-1] * 44]
    yield [[f"{year}-F-{day}" for year in (1, 4, 8, 128, 896) for day in range(1, 6)] * 2, [1] * 25 + [-1] * 25]
    yield [["2-1-1"] * 8, [-250, -251, -252, -253, -254, -255, -256, -257]]
    yield [[f"{year}-12-30" for year in range(120, 140)], [1] * 20]
    for years, most in (([1, 2, 3], 30), ([4, 8, 12], 400), (list(range(1, 60)), 2000), ([127, 128, 129, 130], 300)):
        yield some(years, most)
    yield [[f"{512 * at}-F-{day}" for at in range(1, 15) for day in (1, 5)] * 2, [1] * 28 + [-1] * 28]
    yield some(list(range(880, 900)), 10_000)
    yield some(list(range(4470, 4490)), 2_000_000)
    yield some([10**9, 10**9 - 1, 10**9 - 127], 10**12)
    yield some([10**8, 10**7 * 3 + 1], 10**9)
    yield some([rng.randint(1, 10**9) for _ in range(60)], 10**12)
    yield some([rng.randint(1, 10**6) for _ in range(60)], 10**8)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
