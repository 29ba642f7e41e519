"""Inputs of tipping-bucket: all small buckets in lots, common factors, golden and lopsided ratios, and patterns of every length."""

import json
import random
from collections.abc import Iterator
from math import gcd

Question = tuple[int, int, int, int]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[1:-1]]
    if lines[-1] or not 1 <= len(rows) <= 40 or lines[0] != str(len(rows)):
        raise ValueError("the number of questions")
    for line, row in zip(lines[1:], rows):
        if len(row) != 4 or line != " ".join(map(str, row)):
            raise ValueError("the spelling")
        a, m, b, k = row
        if not (1 <= a < m <= 10**18 and 0 <= b < m and 1 <= k <= 10**18):
            raise ValueError("a number")


def _text(rows: list[Question]) -> str:
    return f"{len(rows)}\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows)


def _small(rng: random.Random, most: int) -> Question:
    m = rng.randint(2, most)
    return rng.randrange(1, m), m, rng.randrange(m), rng.randint(1, m + 1)


def _fraction(rng: random.Random, most: int, terms: tuple[int, ...]) -> tuple[int, int]:
    """a / m in lowest terms with m up to `most` and partial quotients among `terms`."""
    a, m, before, last = 0, 1, 1, 0
    while True:
        term = rng.choice(terms)
        if term * m + last > most:
            return (a, m) if 0 < a < m else (1, 2)
        a, before, m, last = term * a + before, a, term * m + last, m


def _shaped(rng: random.Random, most: int, terms: tuple[int, ...]) -> Question:
    a, m = _fraction(rng, most, terms)
    times = rng.choice((1, 1, max(1, 10**18 // m // rng.randint(1, 9))))
    a, m = (a * times, m * times) if rng.random() < 0.5 else ((m - a) * times, m * times)
    small = m // gcd(a, m)
    k = min(10**18, rng.choice((rng.randint(1, 40), rng.randint(1, small), rng.randint(1, 1 + small // 1_000), small + rng.randint(-3, 3))))
    return a, m, rng.randrange(m), max(1, k)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(61_002)
    yield _text([(1, 3, 0, 1), (2, 5, 0, 2)])
    yield _text([(6, 10, 3, 4), (3, 5, 1, 4)])
    yield _text([(5, 8, 7, 3), (1, 2, 0, 100), (377, 610, 0, 20)])
    every = [(a, m, b, k) for m in range(2, 7) for a in range(1, m) for b in range(m) for k in range(1, m + 1)]
    rng.shuffle(every)
    for at in range(0, 120, 40):
        yield _text(every[at : at + 40])
    for most in (9, 14, 25, 40, 60, 100, 150, 300):
        yield _text([_small(rng, most) for _ in range(40)])
    big = 10**18
    yield _text([(1, big, 0, 1), (1, big, big - 1, 1), (big - 1, big, 0, big), (big // 2, big, 3, 7), (1, big, 5, big // 2)])
    yield _text([(big - 1, big, big - 1, big), (1, 2, 1, big), (big - 2, big - 1, 77, big), (6 * 10**17, big, big - 1, 3)])
    for most, terms in ((10**6, (1, 2, 3)), (10**12, (1,)), (10**18, (1,)), (10**18, (1, 2)), (10**18, (1, 1, 1, 50)), (10**18, (1, 7, 900, 10**6)), (10**18, (2, 3, 4, 5)), (10**18, (1, 2, 10**5))):
        yield _text([_shaped(rng, most, terms) for _ in range(25)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
