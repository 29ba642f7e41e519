"""Inputs of third-canal: no way, detours that complete a group, tolls of 0, parallel canals, and the largest."""

import json
import random
from collections.abc import Iterator

_Canals = list[tuple[int, int, int]]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[:-1]]
    if not rows or len(rows[0]) != 2 or given != "".join(" ".join(map(str, row)) + "\n" for row in rows):
        raise ValueError("the spelling")
    n, m = rows[0]
    if not (2 <= n <= 150 and 0 <= m <= 300) or len(rows) != m + 1:
        raise ValueError("the size")
    for row in rows[1:]:
        if len(row) != 3 or not (1 <= row[0] <= n and 1 <= row[1] <= n and row[0] != row[1] and 0 <= row[2] <= 10**9):
            raise ValueError("a canal")


def _text(n: int, canals: _Canals) -> str:
    return f"{n} {len(canals)}\n" + "".join(f"{u} {v} {w}\n" for u, v, w in canals)


def _random(rng: random.Random, n: int, m: int, high: int, reach: int = 150, chain: bool = False) -> str:
    canals = [(at, at + 1, rng.randint(high // 2, high)) for at in range(1, n)] if chain else []
    while len(canals) < m:
        u = rng.randint(1, n - 1)
        v = rng.randint(u + 1, min(n, u + reach))
        canals.append((u, v, rng.randint(0, high)) if rng.random() < 0.5 else (v, u, rng.randint(0, high)))
    return _text(n, canals)


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(2, 5), rng.randint(0, 7), rng.choice((2, 9, 30)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_106)
    yield _text(4, [(1, 2, 5), (2, 4, 9), (2, 3, 4), (3, 4, 4)])
    yield _text(3, [(1, 2, 1)])
    yield _text(2, [(2, 1, 7), (1, 2, 8)])
    yield _text(2, [])
    yield _text(2, [(1, 2, 0)])
    yield _text(3, [(1, 2, 3), (2, 3, 10), (2, 1, 3)])
    yield _text(5, [(1, 2, 10), (2, 3, 10), (3, 4, 10), (4, 5, 1), (2, 5, 21)])
    yield _text(7, [(at, at + 1, 6) for at in range(1, 7)] + [(1, 4, 12), (4, 7, 13)])
    yield _text(4, [(1, 2, 0), (2, 3, 0), (3, 4, 5), (1, 4, 5)])
    for m in (5, 6, 7, 7, 7, 7):
        yield _random(rng, 5, m, 20)
    yield _random(rng, 10, 16, 30, 3, chain=True)
    yield _random(rng, 12, 24, 12, 3, chain=True)
    yield _random(rng, 20, 34, 100, 2, chain=True)
    yield _random(rng, 150, 300, 10**9, 2, chain=True)
    yield _random(rng, 150, 300, 100, 3, chain=True)
    yield _text(150, [(at, at + 1, rng.randint(9 * 10**8, 10**9)) for at in range(1, 150)] + [(at, at + 2, 10**9) for at in range(1, 149)])
    yield _random(rng, 25, 300, 10**9, 3, chain=True)
    yield _random(rng, 150, 300, 1, 3, chain=True)
    yield _random(rng, 150, 300, 10**9)
    yield _random(rng, 2, 300, 10**9)
    # Turning back and forth over cheap canals changes the place in the group.
    yield _text(8, [(1, 2, 1), (2, 3, 90), (3, 4, 80), (4, 5, 1), (5, 6, 90), (6, 7, 95), (7, 8, 1), (2, 7, 300)])
    rows = [(at, at + 1, rng.choice((1, 2, 3)) if at % 4 == 1 else rng.randint(500, 900)) for at in range(1, 150)]
    yield _text(150, rows + [(at, at + 3, rng.randint(1_500, 2_100)) for at in range(1, 148)])
    rows = [(at, at + 1, rng.choice((3, 40, 500))) for at in range(1, 150)]
    yield _text(150, rows + [(at, at + 2, rng.choice((60, 500, 700))) for at in range(1, 149)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
