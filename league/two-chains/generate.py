"""Inputs of two-chains: how long the chains are, and how many links may be taken at once."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    a, b, k = (int(word) for word in given.removesuffix("\n").split(" "))
    if given != f"{a} {b} {k}\n" or not (0 <= a <= 60 and 0 <= b <= 60 and 1 <= k <= 6):
        raise ValueError("a number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(31_121)
    cases = [(0, 0, 3), (1, 0, 1), (1, 1, 1), (2, 1, 2), (2, 2, 2), (3, 1, 2), (4, 4, 2), (6, 0, 2), (7, 5, 3), (8, 8, 3)]
    cases += [(60, 60, 6), (60, 60, 5), (60, 59, 6), (7, 7, 5), (13, 0, 5), (6, 6, 5), (60, 0, 4), (57, 60, 3), (49, 14, 6), (60, 60, 2)]
    cases += [(rng.randint(20, 60), rng.randint(20, 60), k) for k in (2, 3, 4, 5, 6, 5, 5, 6)]
    for a, b, k in cases:
        yield f"{a} {b} {k}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
