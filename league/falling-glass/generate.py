"""Inputs of falling-glass: differences of exactly d, equal readings, rising and falling runs, waves, peaks and valleys, and the longest rows."""

import itertools
import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) != 3 or lines[2]:
        raise ValueError("not two lines")
    n, d = (int(word) for word in lines[0].split(" "))
    readings = [int(word) for word in lines[1].split(" ")]
    if lines[0] != f"{n} {d}" or n != len(readings) or not 1 <= d <= 10**9 or lines[1] != " ".join(map(str, readings)) or not 1 <= len(readings) <= 40_000:
        raise ValueError("the size or the spelling")
    if not all(0 <= reading <= 10**9 for reading in readings):
        raise ValueError("a reading")


def _text(d: int, readings: list[int]) -> str:
    return f"{len(readings)} {d}\n{' '.join(map(str, readings))}\n"


def _random(rng: random.Random, n: int, high: int) -> str:
    return _text(rng.randint(1, max(1, high * 3 // 4)), [rng.randint(0, high) for _ in range(n)])


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 12), rng.choice((1, 2, 4, 30)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_119)
    yield _text(1, [3, 1, 2])
    yield _text(2, [1, 4, 2, 4, 1])
    yield _text(1, [5, 5, 5])
    yield _text(3, [7])
    yield _text(1, [1, 2])
    yield _text(1, [2, 1])
    yield _text(2, [2, 1])
    yield _text(3, [6, 4, 5, 3, 6, 3])
    for number, readings in enumerate(itertools.islice(itertools.product(range(3), repeat=5), 12, 240, 57)):
        yield _text(1 + number % 2, list(readings))
    for n, high in ((7, 3), (9, 2), (12, 50), (40, 5), (60, 10**9), (300, 20)):
        yield _random(rng, n, high)
    yield _text(1, [0] * 40_000)
    yield _text(2_500, list(range(5_000, 0, -1)))
    yield _text(7, [10**9 - at // 50 for at in range(6_000)])
    yield _text(6, [at % 7 for at in range(6_000)])
    yield _text(1_234, [abs(3_000 - at) for at in range(6_000)])
    yield _text(1, [3_000 - abs(3_000 - at) for at in range(5_999)])
    yield _text(3_000, [at if at % 2 else 16_000 - at for at in range(4_000)])
    yield _text(9, [rng.randint(0, 9) for _ in range(40_000)])
    yield _text(4, [max(0, 9 - abs(at % 40 - 20)) + rng.randint(0, 1) for at in range(8_000)])
    yield _text(990_000_000, [rng.randint(0, 10**9) for _ in range(2_500)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
