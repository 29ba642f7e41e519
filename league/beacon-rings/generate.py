"""Inputs of beacon-rings: rings shorter than the patterns, primes, many divisors, no ring at all, and the longest."""

import itertools
import json
import random
import re
from collections.abc import Iterator

_ALL = ["".join(each) for size in (1, 2, 3, 4) for each in itertools.product(".o", repeat=size)]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    n, m = (int(word) for word in lines[0].split(" "))
    if lines[0] != f"{n} {m}" or not (1 <= n <= 50_000 and 0 <= m <= 8) or len(lines) != m + 2 or lines[-1]:
        raise ValueError("the size")
    if not all(re.fullmatch("[.o]{1,4}", pattern) for pattern in lines[1:-1]) or len(set(lines[1:-1])) != m:
        raise ValueError("a pattern")


def _text(n: int, *patterns: str) -> str:
    return f"{n} {len(patterns)}\n" + "".join(pattern + "\n" for pattern in patterns)


def _small(rng: random.Random) -> str:
    return _text(rng.randint(1, 9), *rng.sample(_ALL[rng.choice((2, 6, 14)) :], rng.randint(0, 4)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_114)
    yield _text(4)
    yield _text(5, "oo")
    yield _text(3, "oo.o", "...")
    yield _text(1)
    yield _text(1, "oooo")
    yield _text(1, "o", ".")
    yield _text(2, "o.o.")
    yield _text(2, "oo", "..")
    yield _text(3, "oo", "..")
    yield _text(6, "o.o", "...")
    yield _text(8, "oo.", "o..o")
    yield _text(9, "o.oo")
    yield _text(10, "....", "oooo")
    yield _text(12, "ooo", "..o.")
    yield _text(16)
    yield _text(15, "oooo", "o.o.", "..o")
    yield _text(720, "oo.o")
    yield _text(997, "ooo")
    yield _text(50_000)
    yield _text(29_989, ".o.o", "o..o", "oooo")
    yield _text(7_560, "oo")
    yield _text(9_240, "o.o", "....", "oo.o")
    yield _text(29_400, "oo", "..")
    yield _text(50_000, "o.oo", "oo..", "....")
    yield _text(8_192, *rng.sample(_ALL[14:], 2))
    yield _text(9_800, ".ooo", "o.o.")
    yield _text(10_000, "o.", "oooo")
    # Eight patterns that leave one lamp possible after any three, so that no setting leads to the same one as another.
    for n, ends in ((36, True), (600, False), (49_998, True)):
        yield _text(n, *(pattern for pattern in _ALL if len(pattern) == 4 and (pattern[0] == pattern[3]) is ends))


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
