"""Inputs of stamp-drawer: empty drawers, prices met exactly and overpaid, refused letters, and very many stamps."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[:-1]]
    if not rows or len(rows[0]) != 2 or given != "".join(" ".join(map(str, row)) + "\n" for row in rows):
        raise ValueError("the spelling")
    m, n = rows[0]
    if not (1 <= m <= 20 and 1 <= n <= 1_000) or len(rows) != m + 2 or len(rows[-1]) != n:
        raise ValueError("the size")
    for row in rows[1:-1]:
        if len(row) != 2 or not (1 <= row[0] <= 10**9 and 0 <= row[1] <= 10**9):
            raise ValueError("a kind")
    if len({row[0] for row in rows[1:-1]}) != m or not all(1 <= price <= 10**15 for price in rows[-1]):
        raise ValueError("a value or a price")


def _text(kinds: list[tuple[int, int]], prices: list[int]) -> str:
    rows = "".join(f"{v} {c}\n" for v, c in kinds)
    return f"{len(kinds)} {len(prices)}\n{rows}{' '.join(map(str, prices))}\n"


def _random(rng: random.Random, m: int, n: int, value: int, count: int, price: int) -> str:
    values = rng.sample(range(1, value + 1), min(m, value))
    return _text([(v, rng.randint(0, count)) for v in values], [rng.randint(1, price) for _ in range(n)])


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 4), rng.randint(1, 8), 12, 4, 30)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_115)
    yield _text([(50, 1), (20, 2), (7, 3)], [60, 41, 20, 9])
    yield _text([(10, 2)], [25, 15, 1])
    yield _text([(3, 1), (8, 1), (5, 0)], [4, 9])
    yield _text([(1, 0)], [1])
    yield _text([(5, 1)], [5, 5])
    yield _text([(9, 1), (6, 3)], [12, 12, 3])
    yield _text([(4, 1), (10**9, 1)], [3, 7, 10**9])
    for _ in range(8):
        yield _small(rng)
    yield _random(rng, 5, 30, 40, 20, 90)
    yield _random(rng, 12, 100, 100, 60, 400)
    yield _random(rng, 20, 1_000, 1_000, 300, 1_500)
    yield _random(rng, 20, 400, 10**9, 10**9, 10**15)
    yield _random(rng, 20, 300, 10**6, 10**9, 10**13)
    yield _text([(1, 10**9), (2, 10**9)], [10**9, 10**9 - 1, 10**9, 7, 10**15, 10**8])
    yield _text([(3, 10**9), (10**9, 10**6)], [10**15 - 10**9, 2_999_999_999, 1, 2, 10**9, 5, 10**15])
    yield _text([(999_999_937, 10**9)], [10**15, 10**15 - 1, 999_999_937, 1])
    yield _random(rng, 1, 1_000, 9, 900, 12)
    yield _random(rng, 20, 900, 60, 2_000, 10**4)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
