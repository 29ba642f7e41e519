"""Inputs of opening-hours: weeks of a museum, with ranges out of order, that touch, and groups round the end of a week."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

RANGE = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]-(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)")


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    (hours,) = value
    if type(hours) is not list or len(hours) != 7:
        raise ValueError("days")
    for day in hours:
        if type(day) is not str or day.count(",") > 9:
            raise ValueError("day")
        for span in day.split(",") if day else ():
            if not RANGE.fullmatch(span) or span[:5] >= span[6:]:
                raise ValueError("range")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_201)

    def clock(minute: int) -> str:
        return f"{minute // 60:02}:{minute % 60:02}"

    def day(count: int, step: int) -> str:
        spans = []
        for _ in range(count):
            first, last = sorted(rng.sample(range(0, 1441, step), 2))
            spans.append(f"{clock(first)}-{clock(last)}")
        return ",".join(spans)

    usual, early = "08:00-12:00,14:00-18:00", "07:30-12:00"
    yield [[usual, usual, "14:00-18:00,08:00-12:00", early, usual, "", ""]]
    yield [["", "08:00-18:00", "08:00-12:00,12:00-18:00", "08:00-13:00,11:00-18:00", "08:00-18:01", "", ""]]
    yield [["00:00-24:00"] * 6 + ["12:00-24:00,00:00-12:00"]]
    yield [[""] * 7]
    yield [[usual] * 7]
    yield [[usual, *[early] * 6]]
    yield [[*[early] * 6, usual]]
    yield [[early, early, usual, usual, "", "", early]]
    yield [[early, usual, early, usual, early, usual, early]]
    yield [[early, usual, early, usual, early, usual, ""]]
    yield [["", early, "", "", "", early, ""]]
    yield [["00:00-00:01", "23:59-24:00", "00:00-24:00", "00:00-24:00", "00:00-23:59", "00:00-23:59,23:59-24:00", ""]]
    yield [["09:00-10:00,10:01-11:00", "09:00-10:00,10:00-11:00", "09:00-11:00,09:30-10:30", "09:00-11:00"] + [""] * 3]
    yield [["10:00-20:00,12:00-13:00,15:00-16:00,19:00-21:00"] * 2 + ["10:00-21:00"] * 2 + ["10:00-20:00"] * 3]
    within = "08:00-09:00,10:00-20:00,12:00-13:00"
    yield [[within, "10:00-20:00,08:00-09:00", "08:00-09:00,10:00-13:00", f"{within},22:00-23:00,22:10-22:20", "", within, within]]
    for count, step in ((1, 720), (1, 720), (1, 480), (2, 720), (2, 480), (3, 360)):
        yield [[day(rng.randint(0, count), step) for _ in range(7)]]
    yield [[day(10, 60) for _ in range(7)]]
    yield [[day(10, 1) for _ in range(7)]]
    many = ",".join(f"{hour:02}:00-{hour:02}:30" for hour in range(20, 10, -1))
    yield [[many] * 5 + ["", many]]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
