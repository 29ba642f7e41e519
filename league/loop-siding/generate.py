"""Inputs of loop-siding: no loop, one that holds all, falling and rising numbers, small numbers at the end, and long trains."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) != 3 or lines[2]:
        raise ValueError("the lines")
    n, c = (int(word) for word in lines[0].split(" "))
    wagons = [int(word) for word in lines[1].split(" ")]
    if lines[0] != f"{n} {c}" or lines[1] != " ".join(map(str, wagons)):
        raise ValueError("the spelling")
    if not 1 <= n <= 48_000 or not 0 <= c <= n or sorted(wagons) != list(range(1, n + 1)):
        raise ValueError("the size or the numbers")


def _text(wagons: list[int], c: int) -> str:
    return f"{len(wagons)} {c}\n{' '.join(map(str, wagons))}\n"


def _random(rng: random.Random, n: int, c: int) -> str:
    return _text(rng.sample(range(1, n + 1), n), c)


def _small(rng: random.Random) -> str:
    n = rng.randint(1, 8)
    return _random(rng, n, rng.randint(0, min(n, 4)))


def _nearly(rng: random.Random, n: int, far: int) -> list[int]:
    """Numbers that stand at most about so far from their places."""
    return [at + 1 for at in sorted(range(n), key=lambda at: at + rng.random() * far)]


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_127)
    yield _text([3, 1, 2, 4], 1)
    yield _text([4, 3, 1, 2], 2)
    yield _text([2, 3, 1], 0)
    yield _text([1], 0)
    yield _text([1], 1)
    yield _text([2, 1], 1)
    yield _text([5, 4, 3, 2, 1], 3)
    yield _text([2, 6, 5, 1, 4, 3], 2)
    yield _text([3, 4, 2, 5, 1, 6], 3)
    for c in (0, 1, 2, 3, 4, 5, 9):
        yield _random(rng, 10, c)
    yield _random(rng, 100, 7)
    yield _random(rng, 600, 25)
    yield _random(rng, 800, 150)
    yield _text(_nearly(rng, 1_500, 40), 12)
    yield _text(_nearly(rng, 1_000, 500), 200)
    yield _text(list(range(2_000, 0, -1)), 700)
    yield _text([*range(2, 1_001), 1], 998)
    yield _text([*range(2, 1_001), 1], 999)
    yield _text(list(range(1, 48_001)), 48_000)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
