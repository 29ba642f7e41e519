"""Inputs of key-ring: full rings, steps that go round several times, runs over the end, and keys of all ages."""

import json
import random
from collections.abc import Iterator
from typing import Any

ARGUMENTS = {"hang": 1, "take": 1, "longest": 0}


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal pair of names and argument lists."""
    names, rows = given
    if not 2 <= len(names) <= 401 or len(names) != len(rows) or names[0] != "KeyRing" or len(rows[0]) != 1:
        raise ValueError("the calls")
    hooks = rows[0][0]
    if type(hooks) is not int or not 1 <= hooks <= 50:
        raise ValueError("the hooks")
    for name, row in zip(names[1:], rows[1:], strict=True):
        if len(row) != ARGUMENTS[name] or any(type(value) is not int for value in row):
            raise ValueError("the arguments")
        if (name == "hang" and not 1 <= row[0] <= 50) or (name == "take" and not 0 <= row[0] < hooks):
            raise ValueError("a step or a hook")


def calls(hooks: int, *said: str) -> list[Any]:
    """Calls written shortly: h3 hangs, t0 takes, l asks for the longest row."""
    words = {"h": "hang", "t": "take", "l": "longest"}
    return [
        ["KeyRing", *(words[each[0]] for each in said)],
        [[hooks], *([int(each[1:])] if each[1:] else [] for each in said)],
    ]


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(71_300)

    def some(hooks: int, count: int, shares: str, most: int = 50) -> list[Any]:
        said = []
        for _ in range(count):
            kind = rng.choice(shares)
            value = {"h": rng.randint(1, most), "t": rng.randrange(hooks), "l": ""}[kind]
            said.append(f"{kind}{value}")
        return calls(hooks, *said)

    yield calls(5, "l", "h2", "h2", "l", "t2", "h3", "l", "t1")
    yield calls(3, "h3", "h5", "h1", "h1", "l", "t0", "t0")
    yield calls(6, "h1", "h4", "l", "h2", "t1", "l")
    yield calls(1, "l", "h1", "h1", "l", "t0", "l", "h50", "t0", "t0")
    yield calls(2, "h1", "h2", "h1", "t1", "h1", "t0", "h7")
    yield calls(4, "h4", "l", "h3", "h2", "l", "t0", "l", "h1", "l")
    yield calls(5, "h1", "t1", "h5", "h5", "h5", "t1", "t0", "h10", "l")
    yield calls(7, *(["h7"] * 7), "h1", "l", *(f"t{hook}" for hook in range(7)), "l")
    yield calls(50, *(["h50"] * 51), "l", *(f"t{hook}" for hook in range(0, 50, 2)), "l", *(["h49"] * 25), "l")
    for hooks in (2, 3, 4, 5, 8):
        yield some(hooks, 60, "hhtl", 12)
    for hooks in (10, 17, 31, 50):
        yield some(hooks, 400, "hhhtl")
    yield some(50, 400, "htttl", 3)
    yield some(49, 400, "hhhhhhl", 50)
    yield some(20, 400, "htl", 20)
    yield some(1, 100, "htl", 50)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
