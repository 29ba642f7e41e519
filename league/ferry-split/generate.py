"""Inputs of ferry-split: equal best cuts, room that rules out the best cut, no way at all, and long lines."""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any


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
    if len(lines) != 2:
        raise ValueError("not two lines")
    n, c = _numbers(lines[0], 2)
    if not 2 <= n <= 50_000:
        raise ValueError("the number of cars")
    if not 1 <= c <= n:
        raise ValueError("the room")
    if not all(1 <= weight <= 10**9 for weight in _numbers(lines[1], n)):
        raise ValueError("a weight")


def _text(room: int, weights: list[int]) -> str:
    return f"{len(weights)} {room}\n{' '.join(map(str, weights))}\n"


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_313)
    yield _text(4, [3, 1, 4, 2, 5])
    yield _text(3, [2, 2, 2, 9])
    yield _text(2, [1, 1, 1, 1, 1])
    yield _text(1, [8, 8])
    yield _text(2, [1, 1_000_000_000])
    yield _text(3, [5, 2, 5])
    yield _text(4, [1, 2, 3, 6, 3, 2, 1])
    yield _text(1, [4, 4, 4])
    yield _text(6, [1, 1, 1, 1, 1, 20])
    yield _text(5, [1, 1, 1, 1, 1, 20])
    yield _text(3, [1, 1, 1, 1, 1, 20])
    yield _text(3, [20, 1, 1, 1, 1, 1])
    yield _text(6, [20, 1, 1, 1, 1, 1])
    yield _text(7, [3, 3, 3, 2, 3, 3, 3])
    for size, heaviest in ((4, 3), (5, 3), (7, 4), (9, 6), (12, 9)):
        yield _text(rng.randint((size + 1) // 2, size), [rng.randint(1, heaviest) for _ in range(size)])
    yield _text(60, sorted((rng.randint(1, 10**9) for _ in range(100)), reverse=True))
    yield _text(500, [rng.randint(1, 10**9) for _ in range(1_000)])
    yield _text(1_300, [rng.randint(1, 10**9) for _ in range(2_000)])
    yield _text(999, [7] * 2_000)
    yield _text(4_600, list(range(1, 9_001)))
    yield _text(50_000, [1_000_000_000] * 50_000)
    yield _text(40_000, [rng.randint(1, 3) for _ in range(40_000)])


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
