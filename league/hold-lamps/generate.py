"""Inputs of hold-lamps: lost and won positions, lamps that cannot move, few winning moves, and coordinates of every size."""

import json
import random
from collections.abc import Iterator

Lamp = tuple[int, int, int]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[1:-1]]
    if lines[-1] or not 0 <= len(rows) <= 12 or lines[0] != str(len(rows)):
        raise ValueError("the number of lamps")
    for line, row in zip(lines[1:], rows):
        if len(row) != 3 or line != " ".join(map(str, row)) or not all(0 <= value <= 63 for value in row):
            raise ValueError("a lamp")
    if len(set(map(tuple, rows))) < len(rows):
        raise ValueError("the same lamp twice")


def _text(lamps: list[Lamp]) -> str:
    return f"{len(lamps)}\n" + "".join(f"{x} {y} {z}\n" for x, y, z in lamps)


def _times(a: int, b: int) -> int:
    """The nim product of two numbers below 256."""
    if a < 2 or b < 2:
        return a * b
    half = 4 if a > 15 or b > 15 else 2 if a > 3 or b > 3 else 1
    mask = (1 << half) - 1
    high, low = _times(a >> half, b >> half), _times(a & mask, b & mask)
    mixed = _times((a >> half) ^ (a & mask), (b >> half) ^ (b & mask))
    return (mixed ^ low) << half | low ^ _times(high, 1 << half - 1)


def _worth(x: int, y: int, z: int) -> int:
    return _times(_times(x, y + 1), z + 1 & -z - 1)


def _random(rng: random.Random, count: int, most: int, least: int = 0) -> list[Lamp]:
    lamps: list[Lamp] = []
    while len(lamps) < count:
        lamp = (rng.randint(least, most), rng.randint(least, most), rng.randint(least, most))
        if lamp not in lamps:
            lamps.append(lamp)
    return lamps


def _lost(rng: random.Random, count: int, most: int) -> list[Lamp]:
    """Lamps whose values cancel: all but two at random, and two that make up for them."""
    while True:
        lamps = _random(rng, count - 2, most, 1)
        lamps.append(tuple(rng.randint(1, most) for _ in range(3)))  # type: ignore[arg-type]
        total = 0
        for lamp in lamps:
            total ^= _worth(*lamp)
        y, z = rng.randint(0, most), rng.randint(0, most)
        for x in range(1, most + 1):
            if _worth(x, y, z) == total and len({*lamps, (x, y, z)}) == count:
                return rng.sample([*lamps, (x, y, z)], count)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(11_213)
    yield _text([(1, 2, 0), (3, 0, 2)])
    yield _text([(1, 1, 0), (1, 2, 1)])
    yield _text([(0, 5, 1), (3, 4, 2), (1, 1, 1), (2, 2, 2)])
    yield _text([])
    yield _text([(0, 63, 63), (0, 0, 1)])
    yield _text([(63, 63, 63)])
    yield _text([(1, 0, 0)])
    yield _text([(5, 6, 7), (7, 5, 6)])
    yield _text([(1, 0, 62), (1, 62, 0), (62, 0, 0)])
    for count, most in ((2, 3), (3, 3), (5, 4), (4, 7), (8, 9), (3, 15), (12, 15), (5, 16)):
        yield _text(_random(rng, count, most))
    for count, most in ((3, 3), (4, 7), (6, 15), (5, 40), (12, 63)):
        yield _text(_lost(rng, count, most))
    for count, most in ((1, 63), (2, 63), (12, 63), (12, 63), (7, 50)):
        yield _text(_random(rng, count, most, 1))
    # The only winning move switches all layers, or all but a few.
    yield _text([(1, 0, 63), (1, 0, 31)])
    yield _text([(2, 1, 63), (2, 1, 31), (2, 1, 0)])
    # One large value that only one lamp can take back, among small lamps.
    for most in (3, 5):
        yield _text([*_random(rng, 9, most, 1), (33, 17, 63)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
