"""Inputs of echo-sounder: ties of depth, cuts at both ends, differences that end with a cut, and very long rolls."""

import json
import random
from collections.abc import Iterator
from typing import Any

ARGUMENTS = {"ping": 1, "retract": 0, "steepest": 0}
WORDS = {"r": "retract", "s": "steepest"}


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal pair of names and argument lists."""
    names, rows = given
    if not 2 <= len(names) <= 12_001 or len(names) != len(rows) or names[0] != "EchoSounder" or len(rows[0]) != 1:
        raise ValueError("the calls")
    if type(rows[0][0]) is not int or not 1 <= rows[0][0] <= 10_000:
        raise ValueError("the capacity")
    for name, row in zip(names[1:], rows[1:], strict=True):
        if len(row) != ARGUMENTS[name] or not all(type(value) is int and 0 <= value <= 10**9 for value in row):
            raise ValueError("the arguments")


def calls(capacity: int, said: list[Any]) -> list[Any]:
    """Calls written shortly: a number pings, r retracts, s asks for the steepest."""
    names = [WORDS.get(each, "ping") for each in said]
    return [["EchoSounder", *names], [[capacity], *([] if each in WORDS else [each] for each in said)]]


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(90_210)

    def some(capacity: int, count: int, most: int, asks: str) -> list[Any]:
        """Depths up to `most`; `asks` says how often what is called: p pings, r and s as above."""
        return calls(capacity, [rng.randint(0, most) if each == "p" else each for each in rng.choices(asks, k=count)])

    yield calls(3, [7, 12, 4, "s", 5, "s", "r", "s", "r", "r", "r"])
    yield calls(2, [9, 9, 3, "s", "r", "r", "r", "s"])
    yield calls(4, [1, 6, 2, 8, "s", 8, "s", 0, "s", "r", "s"])
    yield calls(1, [5, "s", 3, 7, "r", "r", "s", 1, "s"])
    yield calls(5, ["s", "r", 0, "s", "r", "r"])
    yield calls(3, [10, 1, 10, 5, "s", 10, "s", "r", "r", "r"])
    yield calls(3, [4, 4, 4, 4, 4, "s", "r", "r", "r", "r"])
    yield calls(4, [9, 5, 7, 1, 8, "s", 2, "s", 3, "s", "r", "s", "r", "s"])
    yield calls(2, [10**9, 0, "s", 0, "s", 10**9, "s", "r", "s", "r"])
    yield calls(10_000, [3, "s", 10**9, "s", "r", "s", "r", "s"])
    for capacity in (1, 2, 3, 4):
        yield some(capacity, 60, 3, "pprs")
        yield some(capacity, 60, 20, "ppprs")
    for capacity in (5, 20, 100):
        yield some(capacity, 500, 30, "ppprs")
    yield some(300, 2_000, 10**9, "ppppprrs")
    yield some(50, 2_000, 5, "ppppprs")
    yield calls(1_500, [*range(1_500), *("s" if each % 2 else 2_000 for each in range(600)), *"rs" * 500])
    pings = [rng.randint(0, 10**6) for _ in range(5_500)]
    yield calls(5_500, [*pings, *(rng.choice((rng.randint(0, 10**6), "s", "s", "s")) for _ in range(6_500))])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
