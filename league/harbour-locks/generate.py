"""Inputs of harbour-locks: answers on the edge of a rest, locks that open too late, the largest answer, many boats."""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

_RANGES = ((0, 10**9), (1, 10**6), (1, 10**6), (0, 10**6))


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
    first, *rows = _lines(given)
    n, m = _numbers(first, 2)
    if not 1 <= n <= 1_000 or len(rows) != n or not 1 <= m <= 10**9:
        raise ValueError("n or m")
    for row in rows:
        if not all(low <= value <= high for value, (low, high) in zip(_numbers(row, 4), _RANGES)):
            raise ValueError(f"lock {row[:80]!r}")


def _text(boats: int, locks: list[tuple[int, int, int, int]]) -> str:
    return f"{len(locks)} {boats}\n" + "".join(" ".join(map(str, lock)) + "\n" for lock in locks)


def _random(rng: random.Random, size: int, boats: int, largest: tuple[int, int, int, int]) -> str:
    s, t, k, r = largest
    return _text(
        boats,
        [(rng.randint(0, s), rng.randint(1, t), rng.randint(1, k), rng.randint(0, r)) for _ in range(size)],
    )


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_315)
    yield _text(5, [(0, 3, 2, 4), (5, 2, 10, 1)])
    yield _text(4, [(0, 2, 2, 5)])
    yield _text(3, [(100, 1, 1, 0), (0, 30, 3, 9)])
    yield _text(1, [(0, 1, 1, 0)])
    yield _text(1, [(1_000_000_000, 1_000_000, 1, 1_000_000)])
    yield _text(6, [(0, 5, 3, 7)])
    yield _text(7, [(0, 5, 3, 7)])
    yield _text(3, [(4, 6, 1, 10), (4, 6, 1, 10)])
    yield _text(9, [(0, 1, 4, 20), (0, 9, 5, 0)])
    for size, boats in ((1, 7), (2, 6), (2, 11), (3, 9), (3, 25), (4, 40)):
        yield _random(rng, size, boats, (8, 4, 3, 9))
    yield _random(rng, 30, 200, (60, 20, 5, 100))
    yield _random(rng, 100, 3_000, (1_000, 50, 20, 700))
    yield _random(rng, 1_000, 500, (10**9, 10**6, 10**6, 10**6))
    yield _random(rng, 200, 999_999, (10**6, 10**4, 100, 10**6))
    yield _text(10**9, [(10**9, 10**6, 1, 10**6)])
    yield _text(10**9, [(0, 10**6, 10**6, 10**6)] * 2)
    yield _text(10**9, [(0, 1, 1, 10**6)] * 3 + [(10**9, 1, 10**6, 0)])
    yield _random(rng, 500, 10**9, (10**9, 30, 10, 10**6))
    yield _random(rng, 1_000, 10**9, (10**9, 10**6, 10**6, 10**6))
    # So many fast locks that until a late minute more boats could pass than 64 bits count.
    yield _text(10**9, [(rng.randint(0, 10**6), 1 + at % 2, 10**6, 0) for at in range(1_000)])


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
