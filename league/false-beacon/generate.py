"""Inputs of false-beacon: the number of marks, the mark of the wreck, and which answers are lies."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    n, x, k = (int(word) for word in given.removesuffix("\n").split(" "))
    if given != f"{n} {x} {k}\n" or not 1 <= x <= n <= 500_000 or not 2 <= k <= 10:
        raise ValueError("a number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(31_104)
    cases = [(1, 1, 2), (2, 1, 2), (2, 2, 10), (3, 3, 3), (3, 2, 2), (7, 4, 5), (16, 16, 4), (100, 1, 10)]
    cases += [(500_000, x, k) for x, k in ((1, 10), (500_000, 10), (250_000, 10), (250_001, 9), (1, 2), (499_999, 2), (77, 3))]
    cases += [(rng.randint(300_000, 500_000), 0, k) for k in range(2, 11)]
    for n, x, k in cases:
        yield f"{n} {x or rng.randint(1, n)} {k}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
