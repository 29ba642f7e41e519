"""Inputs of frost-report: no frost, single days, mild days at the ends and in pairs, ties, and long winters."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) != 3 or lines[2]:
        raise ValueError("the lines")
    days = [int(word) for word in lines[1].split(" ")]
    if lines[0] != str(len(days)) or lines[1] != " ".join(map(str, days)) or not 1 <= len(days) <= 10_000:
        raise ValueError("the size or the spelling")
    if not all(-100 <= day <= 100 for day in days):
        raise ValueError("a temperature")


def _text(days: list[int]) -> str:
    return f"{len(days)}\n{' '.join(map(str, days))}\n"


def _random(rng: random.Random, n: int, low: int, high: int) -> str:
    return _text([rng.randint(low, high) for _ in range(n)])


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 14), -2, rng.choice((1, 2, 4)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_131)
    yield _text([4, -3, 1, -2, 0, 2, -5, 3, -1])
    yield _text([5, 2, 0, 9])
    yield _text([0, -4, 2, 0, -1, -3, 2])
    yield _text([-1])
    yield _text([0])
    yield _text([2, -1, 2])
    yield _text([-2, 3, -1, -1, 3, -2])
    yield _text([-1, 1, -1, 3, -2, 3, -2])
    yield _text([-1, 0, -1, 0, -1, 0, 0, -1])
    yield _text([-100, 3, -50, 2, -50])
    yield _text([-1, -1, -1, -1])
    for _ in range(7):
        yield _small(rng)
    yield _random(rng, 60, -5, 5)
    yield _random(rng, 300, -3, 3)
    yield _random(rng, 3_000, -9, 4)
    yield _random(rng, 3_000, -100, 100)
    yield _text([-100] * 10_000)
    yield _text([-1, 2] * 5_000)
    yield _text([-1, 2, 2] * 1_000)
    yield _random(rng, 2_999, -1, 2)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
