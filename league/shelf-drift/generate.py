"""Inputs of shelf-drift: full shelves, bookends at the ends and side by side, books pushed and thrown, and long logs."""

import json
import random
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) < 4 or lines[-1] or not re.fullmatch(r"[1-9]\d* [1-9]\d*", lines[0]):
        raise ValueError("the lines")
    n, q = (int(word) for word in lines[0].split(" "))
    if not (1 <= n <= 400 and 1 <= q <= 1_000) or len(lines) != q + 3 or not re.fullmatch(r"[.|a-z]+", lines[1]) or len(lines[1]) != n:
        raise ValueError("the size or the shelf")
    for line in lines[2:-1]:
        fits = re.fullmatch(r"L|R|\+ ([1-9]\d*) [a-z]|- ([1-9]\d*)", line)
        if not fits or int(fits[1] or fits[2] or 1) > n:
            raise ValueError("the log")


def _text(shelf: str, log: list[str]) -> str:
    return f"{len(shelf)} {len(log)}\n{shelf}\n" + "".join(line + "\n" for line in log)


def _random(rng: random.Random, n: int, q: int, kinds: str, tilts: float) -> str:
    shelf, log = "".join(rng.choice(kinds) for _ in range(n)), []
    for _ in range(q):
        if rng.random() < tilts:
            log.append(rng.choice("LR"))
        elif rng.random() < 0.65:
            log.append(f"+ {rng.randint(1, n)} {rng.choice('abcdefgh')}")
        else:
            log.append(f"- {rng.randint(1, n)}")
    return _text(shelf, log)


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 9), rng.randint(1, 12), rng.choice((".a", ".|bc", "...|")), 0.3)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_126)
    yield _text("a.b|.c.", ["R", "+ 3 x", "L"])
    yield _text("ab..", ["+ 1 x", "+ 1 y", "+ 2 z", "- 3", "+ 3 w"])
    yield _text("|.|", ["+ 1 a", "+ 2 b", "+ 2 c", "L", "- 1"])
    yield _text(".", ["L"])
    yield _text("q", ["+ 1 r"])
    yield _text("||||", ["R", "- 2", "+ 3 x"])
    yield _text(".ab|c.", ["+ 2 z", "+ 5 y", "L", "+ 1 x", "R"])
    yield _text("a.bc.d", ["+ 3 x", "+ 3 y", "+ 1 z"])
    yield _text("..a..|..b..", ["L", "L", "R", "+ 5 c", "R", "+ 6 d", "L"])
    for _ in range(8):
        yield _small(rng)
    yield _random(rng, 30, 60, "..|ab", 0.2)
    yield _random(rng, 60, 300, ".....|", 0.1)
    yield _random(rng, 100, 1_000, "." * 20 + "|", 0.05)
    yield _random(rng, 100, 1_000, ".", 0.02)
    yield _random(rng, 100, 1_000, "...|abc", 0.5)
    yield _random(rng, 100, 700, "abc", 0.1)
    yield _text("." * 100, ["+ 1 a", "+ 1 b"] * 60)
    yield _text(".a" * 100 + "." * 150 + "|" + "z.." * 16 + ".", ["L", "R"] * 499 + ["+ 9 x", "+ 252 y"])
    yield _random(rng, 97, 900, "." * 9 + "|", 0.0)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
