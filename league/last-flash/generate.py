"""Inputs of last-flash: equal periods, one a multiple of the other, late starts, common factors, and the longest times."""

import json
import random
from collections.abc import Iterator

_HIGH = (10**9, 10**9, 10**9, 10**9, 10**18, 10**18)


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[1:-1]]
    if lines[-1] or not 1 <= len(rows) <= 100 or lines[0] != str(len(rows)):
        raise ValueError("the number of questions")
    for line, row in zip(lines[1:], rows):
        if len(row) != 6 or line != " ".join(map(str, row)):
            raise ValueError("the spelling")
        if not all(0 <= value <= high for value, high in zip(row, _HIGH)) or not row[1] or not row[3] or row[4] > row[5]:
            raise ValueError("a number")


def _text(rows: list[tuple[int, ...]]) -> str:
    return f"{len(rows)}\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows)


def _row(rng: random.Random, start: int, period: int, end: int) -> tuple[int, ...]:
    s, t = sorted((rng.randint(0, end), rng.randint(0, end)))
    return rng.randint(0, start), rng.randint(1, period), rng.randint(0, start), rng.randint(1, period), s, t


def _small(rng: random.Random) -> str:
    return _text([_row(rng, rng.choice((3, 15)), rng.choice((3, 6, 12)), rng.choice((10, 60))) for _ in range(5)])


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_103)
    yield _text([(0, 3, 1, 2, 0, 9), (1, 2, 0, 3, 0, 9)])
    yield _text([(5, 4, 5, 4, 0, 100), (2, 4, 0, 2, 0, 100), (2, 2, 0, 4, 0, 100)])
    yield _text([(0, 10, 25, 10, 0, 40), (25, 10, 0, 10, 0, 40), (7, 1, 3, 1, 0, 12)])
    yield _text([(0, 1, 0, 1, 0, 0), (0, 1, 1, 1, 0, 0), (1, 1, 0, 1, 0, 0)])
    yield _text([(0, a, r, b, 0, 30) for a in (1, 2, 3) for b in (1, 2, 3) for r in (0, 1, 2)])
    yield _text([(p, 6, 4, 9, at, at) for p in (0, 1) for at in range(0, 36)])
    yield _text([(p, 9, 0, 6, at, at) for p in (2, 3) for at in range(0, 36)])
    for _ in range(5):
        yield _small(rng)
    yield _text([_row(rng, 40, 30, 200) for _ in range(100)])
    yield _text([_row(rng, 2_000, 40, 1_000) for _ in range(60)])
    big = 10**18
    yield _text([(0, 1, 0, 1, 0, big), (0, 1, 1, 2, 0, big), (1, 2, 0, 1, 0, big), (10**9, 10**9, 0, 1, 0, big)])
    yield _text([(0, 1, 10**9, 10**9, 0, big), (10**9, 1, 10**9, 10**9, 0, big), (3, 10**9, 4, 10**9 - 1, 0, big)])
    yield _text([(5, 999_999_937, 0, 999_999_937, 0, big), (0, 999_999_937, 5, 999_999_937, 7, big - 3)])
    common = [(rng.randint(0, 10**9), 720_720 * rng.randint(1, 1_300), rng.randint(0, 10**9), 720_720 * rng.randint(1, 1_300)) for _ in range(60)]
    yield _text([(p, a, p + 720_720 * rng.randint(-2, 2) if p > 10**7 and p < 9 * 10**8 else r, b, 0, big) for p, a, r, b in common])
    yield _text([_row(rng, 10**9, 10**9, 10**10) for _ in range(60)])
    yield _text([_row(rng, 10**9, 30, big) for _ in range(60)])
    yield _text([_row(rng, 10**9, 10**9, big) for _ in range(70)])
    yield _text([(*_row(rng, 10**9, 10**5, 0)[:4], 0, big - rng.randint(0, 9)) for _ in range(60)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
