"""Inputs of bread-queue: nobody served, full shelves, customers who leave from the middle, and the longest days."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[:-1]]
    if not rows or len(rows[0]) != 4 or given != "".join(" ".join(map(str, row)) + "\n" for row in rows):
        raise ValueError("the spelling")
    n, *bakery = rows[0]
    if not 1 <= n <= 1_000 or len(rows) != n + 1 or not all(1 <= value <= 1_000 for value in bakery):
        raise ValueError("the bakery")
    for row in rows[1:]:
        if len(row) != 3 or not (0 <= row[0] <= 10_000 and 1 <= row[1] <= 1_000 and 0 <= row[2] <= 10_000):
            raise ValueError("a customer")
    if any(before[0] > after[0] for before, after in zip(rows[1:], rows[2:])):
        raise ValueError("the order")


def _text(b: int, t: int, c: int, customers: list[tuple[int, int, int]]) -> str:
    return f"{len(customers)} {b} {t} {c}\n" + "".join(f"{a} {w} {p}\n" for a, w, p in customers)


def _random(rng: random.Random, n: int, bakery: tuple[int, int, int], day: int, wants: int, patience: int) -> str:
    arrivals = sorted(rng.randint(0, day) for _ in range(n))
    return _text(*bakery, [(a, rng.randint(1, wants), rng.randint(0, patience)) for a in arrivals])


def _small(rng: random.Random) -> str:
    bakery = (rng.randint(1, 5), rng.randint(1, 6), rng.randint(1, 9))
    return _random(rng, rng.randint(1, 8), bakery, 20, 6, 15)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_108)
    yield _text(4, 5, 6, [(0, 3, 10), (2, 5, 4), (3, 1, 2), (7, 2, 3)])
    yield _text(2, 3, 4, [(0, 5, 7), (1, 2, 6)])
    yield _text(3, 2, 3, [(9, 3, 0)])
    yield _text(1, 1, 1, [(0, 1, 0)])
    yield _text(1, 1, 1, [(0, 1, 1)])
    yield _text(5, 10, 5, [(10, 5, 0), (10, 5, 10), (10, 1, 9)])
    yield _text(2, 4, 10, [(0, 9, 8), (1, 2, 3), (1, 3, 20), (2, 1, 30)])
    yield _text(3, 3, 3, [(1, 3, 5), (1, 3, 5), (1, 3, 5), (2, 3, 1)])
    # Customer n leaves before others.
    yield _text(3, 1, 2, [(1, 5, 6), (3, 5, 3)])
    yield _text(4, 2, 5, [(0, 6, 20), (1, 2, 40), (1, 9, 33), (2, 1, 3), (2, 1, 0)])
    for _ in range(9):
        yield _small(rng)
    yield _random(rng, 60, (7, 9, 20), 400, 8, 60)
    yield _random(rng, 200, (10, 6, 25), 1_000, 12, 100)
    yield _random(rng, 700, (50, 40, 200), 5_000, 60, 400)
    yield _random(rng, 1_000, (500, 60, 900), 10_000, 90, 3_000)
    yield _random(rng, 1_000, (1_000, 1, 1_000), 10_000, 1_000, 10_000)
    yield _random(rng, 500, (1, 1_000, 1_000), 10_000, 3, 10_000)
    yield _text(1_000, 1, 1, [(10_000, 2, 10_000)])
    yield _random(rng, 400, (30, 25, 40), 9_000, 45, 250)
    yield _random(rng, 300, (40, 3, 30), 3_000, 32, 2_000)
    # The last customers of a long day wait for half of the next one.
    yield _text(1, 20, 1_000, [(at, 1, 10_000) for at in range(0, 9_000, 10)] + [(10_000, 999, 10_000)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
