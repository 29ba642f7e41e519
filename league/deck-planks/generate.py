"""Inputs of deck-planks: blocks of pillars, single squares, decks without pillars, narrow ones, and the longest."""

import json
import random
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    first, *rows = given.split("\n")
    h, w = (int(word) for word in first.split(" "))
    if first != f"{h} {w}" or not (1 <= h <= 4 and 1 <= w <= 40) or len(rows) != h + 1 or rows[-1]:
        raise ValueError("the size")
    if not all(len(row) == w and re.fullmatch("[.#]+", row) for row in rows[:-1]):
        raise ValueError("a row")


def _text(*rows: str) -> str:
    return f"{len(rows)} {len(rows[0])}\n" + "".join(row + "\n" for row in rows)


def _random(rng: random.Random, h: int, w: int, pillars: float) -> str:
    return _text(*("".join("#" if rng.random() < pillars else "." for _ in range(w)) for _ in range(h)))


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 4), rng.randint(1, 5), rng.choice((0, 0.1, 0.3)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_128)
    yield _text("..", "..")
    yield _text("...", ".#.")
    yield _text(".#.", "...", "#..")
    yield _text(".")
    yield _text("#")
    yield _text("##", "##")
    yield _text(".....")
    yield _text(".", ".", ".", ".")
    yield _text("#.", ".#")
    yield _text("...", "...", "...")
    yield _text("....", "....", "....", "....")
    yield _text(".#..#", "....." , "..#..")
    for h, w, pillars in ((2, 5, 0.2), (3, 5, 0.1), (4, 5, 0.1), (4, 6, 0.05)):
        yield _random(rng, h, w, pillars)
    for h in (1, 2, 3, 4):
        yield _text(*["." * 40] * h)
    yield _text("." * 39, "." * 20 + "#" + "." * 18, "." * 39)
    yield _text(*("".join("#" if (at + row) % 9 == 0 and row in (0, 3) else "." for at in range(40)) for row in range(4)))
    yield _text(*("".join("#" if at % 7 == 3 and row == 1 else "." for at in range(37)) for row in range(3)))
    yield _random(rng, 4, 40, 0.02)
    yield _random(rng, 4, 40, 0.04)
    yield _random(rng, 3, 40, 0.05)
    yield _random(rng, 2, 40, 0.06)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
