"""Inputs of even-keel: numbers of crates, all the small ones that matter, and the largest of every kind."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    crates = int(value.removesuffix("\n"))
    if value != f"{crates}\n" or not 1 <= crates <= 3000:
        raise ValueError("number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_202)
    numbers = [7, 3, 8, 1, 2, 4, 5, 11, 12, 15, 16, 19, 20, 27, 28, 30, 43, 100]
    numbers += [2996, 2997, 2998, 2999, 3000, 2991, 2995]
    numbers += [rng.randint(40, 500) * 4 + rest for rest in (0, 3, 0, 3)]
    numbers += [1292, 2847, 2868]  # the sum of squares times six has its sign bit set in 32 bits
    for number in numbers:
        yield f"{number}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
