"""Inputs of pearl-sieve: single numbers, ties between kinds, squares of primes at both ends, the far end."""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

FAR = 10_000_000_000
BIG_PRIME = 99_991  # the largest prime below the square root of FAR


def _lines(given: Any) -> list[str]:
    if not isinstance(given, str) or not given.endswith("\n"):
        raise ValueError("not a text that ends in a newline")
    return given[:-1].split("\n")


def _numbers(line: str, count: int) -> list[int]:
    """The whole numbers of a line, which must be written plainly and stand one blank apart."""
    numbers = [int(word) for word in line.split(" ")]
    if len(numbers) != count or " ".join(map(str, numbers)) != line:
        raise ValueError(f"not {count} plain numbers: {line[:80]!r}")
    return numbers


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = _lines(given)
    if len(lines) != 1:
        raise ValueError("not one line")
    low, high = _numbers(lines[0], 2)
    if not 1 <= low <= high <= FAR or high - low > 10_000:
        raise ValueError("the range")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_322)
    ranges = [(10, 20), (1, 2), (44, 50)]
    ranges += [(1, 1), (2, 2), (FAR, FAR), (36, 36), (1, 4), (4, 9), (6, 8), (11, 12), (14, 15), (1, 100)]
    ranges += [(BIG_PRIME**2, BIG_PRIME**2), (BIG_PRIME**2 - 2, BIG_PRIME**2), (BIG_PRIME**2 - 1, BIG_PRIME**2 + 30)]
    ranges += [(2**33 - 3, 2**33 + 3), (1_000_003 * 9_973, 1_000_003 * 9_973 + 12), (5_040 - 8, 5_040 + 8)]
    ranges += [(low, low + rng.randint(3, 40)) for low in (rng.randint(1, 10**power) for power in (3, 5, 7, 9))]
    ranges += [(1, 10_001), (3_000_000, 3_004_000), (999_990_000, 999_995_000)]
    ranges += [(FAR - 20_000, FAR - 10_000), (FAR - 10_000, FAR)]
    yield from (f"{low} {high}\n" for low, high in ranges)


def main() -> None:
    if sys.argv[1:] != ["validate"]:
        for given in inputs():
            print(json.dumps(given))
        return
    for line in sys.stdin:
        try:
            validate(json.loads(line))
            print("ok")
        except ValueError as wrong:
            print(f"wrong: {wrong}")


if __name__ == "__main__":
    main()
