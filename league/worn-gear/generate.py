"""Inputs of worn-gear: how far the crank moves the gear, and its teeth; every length of the search, and both ends."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    a, m = (int(word) for word in given.removesuffix("\n").split(" "))
    if given != f"{a} {m}\n" or not 1 <= a < m <= 10**9:
        raise ValueError("a number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(31_105)
    cases = [(1, 2), (1, 3), (2, 3), (2, 4), (5, 12), (6, 12), (1, 10**9), (2, 10**9), (1, 2**29), (1, 2**29 + 1)]
    cases += [(10**9 - 1, 10**9), (5 * 10**8, 10**9), (5 * 10**8 - 1, 10**9 - 1), (3, 3 * 2**20), (7, 7 * 2**25), (1, 999_999_937)]
    cases += [(2**shift + rng.randint(0, 2**shift), rng.randint(9 * 10**8, 10**9)) for shift in (1, 3, 6, 11, 16, 22, 27)]
    cases += [(40, rng.randint(41, 10**6)), (720_720, 720_720 * 1_001)]
    for a, m in cases:
        yield f"{a} {m}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
