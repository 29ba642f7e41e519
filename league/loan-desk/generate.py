"""Inputs of loan-desk: days at the desk, from single rules to long logs in which all of them meet."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

EVENT = re.compile(r"([1-9][0-9]*) (?:(?:borrow|return|renew|reserve) ([1-9][0-9]?) ([1-9][0-9]?)|pay ([1-9][0-9]?))")


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    copies, events = value
    if not (1 <= len(copies) <= 20 and all(type(count) is int and 1 <= count <= 5 for count in copies)):
        raise ValueError("copies")
    if not 1 <= len(events) <= 400:
        raise ValueError("size")
    last = 1
    for event in events:
        match = EVENT.fullmatch(event)
        if not match or not last <= int(match[1]) <= 10**6:
            raise ValueError("event")
        last = int(match[1])
        if int(match[2] or match[4]) > 30 or int(match[3] or 1) > len(copies):
            raise ValueError("member or title")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_604)

    def some(titles: int, most: int, members: int, count: int, pause: float) -> list[Any]:
        """A log in which members mostly return and renew what they may well have."""
        day, events, held = 1, [], []
        for _ in range(count):
            if rng.random() < pause:
                day += rng.choice((1, 1, 2, 3, 4, 5, 7, 15))
            word = rng.choice(("borrow", "borrow", "borrow", "reserve", "reserve", "return", "return", "renew", "pay"))
            pair = (rng.randint(1, members), rng.randint(1, titles))
            if word in ("return", "renew") and held and rng.random() < 0.9:
                pair = held.pop(rng.randrange(len(held))) if word == "return" else rng.choice(held)
            elif word == "borrow":
                held.append(pair)
            events.append(f"{day} pay {pair[0]}" if word == "pay" else f"{day} {word} {pair[0]} {pair[1]}")
        return [[rng.randint(1, most) for _ in range(titles)], events]

    yield [[1], ["1 borrow 7 1", "3 borrow 8 1", "3 reserve 8 1", "3 reserve 9 1", "16 return 7 1", "20 borrow 8 1", "20 borrow 9 1"]]
    yield [[2, 1], ["1 borrow 5 1", "1 borrow 5 2", "27 return 5 1", "27 return 5 2", "27 borrow 5 1", "28 pay 5", "28 borrow 5 1"]]
    yield [[1], ["1 renew 4 1", "1 borrow 4 1", "15 renew 4 1", "20 renew 4 1", "30 renew 4 1", "31 reserve 4 1", "35 renew 4 1"]]
    yield [[1, 1, 1, 1], [f"1 borrow 1 {title}" for title in (1, 2, 3, 4)] + ["1 return 1 2", "1 borrow 1 4", "16 borrow 1 2"]]
    yield [[2, 2, 2, 1], [*(f"1 borrow 1 {title}" for title in (1, 2, 3)), "2 borrow 1 1", "2 borrow 1 4", "17 borrow 1 3"]]
    holds = ["1 borrow 1 1", "1 borrow 2 1", "1 reserve 3 1", "2 reserve 4 1", "2 reserve 5 1", "2 reserve 6 1"]
    yield [[2], [*holds, "5 return 1 1", "5 return 2 1", "9 borrow 5 1", "9 borrow 3 1", "12 borrow 6 1", "13 borrow 4 1"]]
    yield [[2], [*holds, "5 return 1 1", "6 return 2 1", "9 borrow 4 1", "10 borrow 5 1", "13 borrow 5 1", "14 borrow 6 1"]]
    yield [[2], [*holds, "5 return 1 1", "5 reserve 3 1", "8 borrow 3 1", "8 return 2 1", "30 reserve 1 1", "30 borrow 1 1"]]
    # One copy is put aside for member 3 while another one is on the shelf.
    both = ["1 borrow 1 1", "1 borrow 2 1", "1 reserve 3 1", "2 return 1 1", "2 return 2 1", "2 borrow 3 1"]
    yield [[2], [*both, "2 borrow 4 1", "2 borrow 5 1", "7 borrow 5 1"]]
    yield [[2], [*both, "3 reserve 4 1", "4 renew 3 1", "6 reserve 5 1", "6 borrow 4 1", "6 borrow 5 1"]]
    blocked = ["1 borrow 1 1", "1 borrow 2 2", "2 reserve 2 1", "3 reserve 3 1"]
    yield [[1, 1], [*blocked, "16 return 1 1", "16 borrow 3 1", "17 return 2 2", "18 return 3 1", "18 borrow 2 1"]]
    yield [[1, 1], [*blocked, "15 return 1 1", "19 borrow 2 1", "19 borrow 3 1", "20 pay 2"]]
    yield [[1, 1], [*blocked, "13 return 1 1", "17 reserve 2 1", "17 borrow 3 1", "18 reserve 1 1"]]
    yield [[1, 1], ["1 borrow 1 1", "2 borrow 2 2", "2 reserve 2 1", "17 return 1 1", "17 borrow 3 1", "18 return 3 1", "18 borrow 2 1"]]
    late = ["16 return 1 1", "17 return 2 2", "18 borrow 2 1", "19 reserve 3 1", "20 renew 2 1", "21 return 2 1"]
    yield [[1, 1], ["1 borrow 1 1", "1 borrow 2 2", "2 reserve 2 1", *late, "21 borrow 3 1", "22 reserve 1 1"]]
    yield [[1], ["1 borrow 1 1", "24 return 1 1", "24 borrow 1 1", "25 reserve 1 1", "26 borrow 1 1", "40 pay 1", "40 pay 1"]]
    yield [[1], ["1 borrow 1 1", "25 return 1 1", "25 borrow 1 1", "25 reserve 1 1", "25 renew 1 1", "999999 pay 1", "1000000 borrow 1 1"]]
    yield [[1], ["1 borrow 1 1", "999 return 1 1", "999 pay 1", "1000 return 1 1", "1000 renew 1 1"]]
    two = ["1 borrow 1 2", "1 borrow 1 3", "1 borrow 2 1", "2 reserve 1 1", "3 return 2 1", "4 borrow 1 1", "5 borrow 1 4", "6 return 1 2", "6 borrow 1 4"]
    yield [[1, 1, 1, 1], two]
    # A copy that is put aside is no wish that keeps others from renewing.
    kept = ["1 borrow 1 1", "1 borrow 2 1", "2 reserve 3 1", "3 return 1 1", "4 renew 2 1", "5 renew 2 1", "6 borrow 3 1", "6 renew 2 1"]
    yield [[2], [*kept, "6 reserve 4 1", "6 renew 2 1", "7 return 3 1", "7 renew 2 1", "7 reserve 5 1", "7 return 2 1", "8 borrow 5 1", "8 borrow 4 1"]]
    # Of two copies that are put aside, the one of the later title has to go to the next member first.
    queued = ["1 borrow 1 1", "1 borrow 2 2", "2 reserve 3 1", "2 reserve 5 1", "2 reserve 4 2", "2 reserve 6 2"]
    yield [[1, 1], [*queued, "5 return 2 2", "6 return 1 1", "9 borrow 6 2", "10 borrow 3 1", "10 borrow 5 1"]]
    for titles, most, members, count in ((1, 1, 3, 30), (1, 2, 4, 50), (2, 1, 4, 80), (2, 2, 5, 120), (3, 2, 5, 200)):
        yield some(titles, most, members, count, 0.5)
    for titles, most, members, pause in ((2, 1, 6, 0.3), (3, 1, 8, 0.6), (4, 2, 7, 0.4), (5, 1, 6, 0.5), (20, 2, 30, 0.2), (3, 3, 20, 0.2)):
        yield some(titles, most, members, 400, pause)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
