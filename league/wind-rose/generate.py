"""Inputs of wind-rose: angles between two winds, negative ones, many turns, calms only, ties, and long logs."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[:-1]]
    if not rows or len(rows[0]) != 1 or given != "".join(" ".join(map(str, row)) + "\n" for row in rows):
        raise ValueError("the spelling")
    if not 1 <= rows[0][0] <= 2_000 or len(rows) != rows[0][0] + 1:
        raise ValueError("the size")
    if not all(len(row) == 2 and abs(row[0]) <= 10**9 and 0 <= row[1] <= 12 for row in rows[1:]):
        raise ValueError("a reading")


def _text(readings: list[tuple[int, int]]) -> str:
    return f"{len(readings)}\n" + "".join(f"{angle} {strength}\n" for angle, strength in readings)


def _random(rng: random.Random, n: int, far: int, strong: int, step: int = 1) -> str:
    return _text([(rng.randint(-far, far) // step * step, rng.randint(0, strong)) for _ in range(n)])


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 9), rng.choice((200, 3_000)), 3, rng.choice((1, 45)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_134)
    yield _text([(0, 3), (44, 1), (45, 2), (-45, 4), (-46, 4), (1440, 0)])
    yield _text([(360, 5), (1080, 2), (1800, 1), (1080, 4)])
    yield _text([(90, 0), (180, 0)])
    yield _text([(0, 1)])
    yield _text([(1395, 1), (1394, 1), (1439, 1), (1440, 1), (1485, 1)])
    yield _text([(-1, 1), (-1440, 2), (-1441, 3), (-45, 4), (-46, 5), (-1485, 6)])
    yield _text([(10**9, 12), (-(10**9), 12), (10**9 - 1, 1), (-(10**9) + 1, 1)])
    yield _text([(at * 90, 1) for at in range(16)])
    yield _text([(at * 90 + 45, 1) for at in range(16)])
    yield _text([(at * 90 - 46, at % 3) for at in range(-16, 16)])
    yield _text([(90, 2), (90, 2), (0, 1), (0, 3), (1350, 4), (1350, 0)])
    for _ in range(7):
        yield _random(rng, rng.randint(4, 9), rng.choice((200, 3_000)), 3, rng.choice((1, 45)))
    yield _random(rng, 100, 1_500, 12, 45)
    yield _random(rng, 300, 10**9, 12)
    yield _random(rng, 1_500, 10**5, 2, 15)
    yield _random(rng, 1_500, 10**9, 1, 45)
    yield _random(rng, 2_000, 720, 12)
    yield _text([(45 + 1_440 * at, 1) for at in range(-600, 600)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
