"""Inputs of ice-field: every number of regions of small charts, one fewer than the squares, too many, and large charts."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    h, w, k = (int(word) for word in given.removesuffix("\n").split(" "))
    if given != f"{h} {w} {k}\n" or not (1 <= h <= 40 and 1 <= w <= 40 and 1 <= k <= 2_000):
        raise ValueError("a number")


def _small(rng: random.Random) -> str:
    h, w = rng.randint(1, 12), rng.randint(1, 12)
    return f"{h} {w} {rng.randint(1, h * w + 1)}\n"


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    cases = [(2, 3, 4), (2, 2, 3), (1, 5, 4), (1, 1, 1), (1, 1, 2), (2, 2, 4), (15, 2, 17), (1, 40, 39), (40, 1, 40), (3, 3, 8)]
    cases += [(3, 3, 7), (5, 5, 21), (3, 3, 5), (3, 4, 9), (2, 9, 15), (5, 5, 20), (4, 4, 11), (7, 3, 18)]
    cases += [(40, 40, 1_600), (40, 40, 1_599), (40, 40, 1_598), (40, 40, 1_596), (40, 39, 1_555), (39, 39, 1_400)]
    cases += [(40, 40, 801), (8, 6, 26), (40, 31, 1), (40, 40, 1_601), (39, 40, 1_541), (40, 2, 77), (2, 9, 11), (3, 6, 14)]
    for h, w, k in cases:
        yield f"{h} {w} {k}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
