"""Inputs of parcel-lockers: few and many lockers, equal sizes, parcels that wait, and parcels that never fit."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    lockers, events = value
    if not (1 <= len(lockers) <= 50 and 1 <= len(events) <= 300):
        raise ValueError("size")
    if not all(type(size) is int and 1 <= size <= 1000 for size in lockers):
        raise ValueError("locker")
    parcels, fetched = 0, set()
    for event in events:
        if type(event) is not int or not -300 <= event <= 1000 or event == 0:
            raise ValueError("event")
        if event > 0:
            parcels += 1
        elif -event > parcels or event in fetched:
            raise ValueError("fetched")
        else:
            fetched.add(event)


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_702)

    def some(lockers: int, events: int, most: int, fetch: float) -> list[Any]:
        sizes = [rng.randint(1, most) for _ in range(lockers)]
        made: list[int] = []
        there: list[int] = []
        parcels = 0
        while len(made) < events:
            if there and rng.random() < fetch:
                made.append(-there.pop(rng.randrange(len(there))))
            else:
                parcels += 1
                there.append(parcels)
                made.append(rng.randint(1, most + (rng.random() < 0.1)))
        return [sizes, made]

    yield [[5, 3, 5], [3, 4, 2, 5, -1, -3]]
    yield [[4], [4, 4, 1, -2, -1]]
    yield [[2, 7], [6, 7, 2, 3, -1]]
    yield [[1], [1]]
    yield [[1], [2, 1]]
    yield [[1], [2, -1, 1, 1, 1, -2]]
    yield [[3, 3, 3], [1, 1, 1, 1, -2]]
    yield [[9, 8, 7], [7, 8, 9, 7, -3, -2]]
    yield [[9, 8, 7], [1, 2, 3, 8, 9, 7, -3, -1, -2]]
    yield [[5, 6], [5, 5, 6, 5, -1, -2]]
    yield [[5, 6], [5, 5, 6, 5, -2, -1]]
    yield [[10], [3, 4, 5, -2, -3, -1, 6]]
    for lockers, events, most, fetch in ((2, 10, 4, 0.4), (3, 20, 6, 0.4), (5, 40, 10, 0.45), (4, 60, 3, 0.5), (8, 80, 9, 0.4)):
        yield some(lockers, events, most, fetch)
    yield some(50, 300, 1000, 0.3)
    yield some(50, 300, 20, 0.45)
    yield some(20, 300, 1000, 0.48)
    yield some(1, 300, 2, 0.5)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
