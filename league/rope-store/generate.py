"""Inputs of rope-store: equal pieces, pieces used up exactly, rests that are cut again, refusals, and a large store."""

import json
import random
from collections.abc import Iterator

LONGEST = 1_000_000_000


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) != 4 or lines[3]:
        raise ValueError("three lines")
    sizes = [int(each) for each in lines[0].split(" ")]
    if len(sizes) != 2 or not all(1 <= size <= 8000 for size in sizes):
        raise ValueError("the numbers of pieces and orders")
    for size, line in zip(sizes, lines[1:3], strict=True):
        lengths = [int(each) for each in line.split(" ")]
        if len(lengths) != size or not all(1 <= length <= LONGEST for length in lengths):
            raise ValueError("the lengths")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_405)

    def some(count: int, low: int, high: int) -> list[int]:
        return [rng.randint(low, high) for _ in range(count)]

    cases: list[tuple[list[int], list[int]]] = [
        ([5, 9, 5], [4, 5, 6, 3]),
        ([10], [4, 7, 6, 1]),
        ([3, 3, 3], [3, 3, 4, 3, 3]),
        ([1], [1]),
        ([1], [2]),
        ([LONGEST], [LONGEST, 1]),
        ([8, 6, 7], [5, 2, 1, 1]),
        ([4, 8], [4, 4, 4]),
        ([6, 2, 6, 2], [2, 2, 2, 2, 2, 2, 2, 2]),
        ([9, 8, 7, 6, 5], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
        ([2, 4, 6], [1, 3, 5, 1, 1, 1]),
    ]
    cases += [(some(count, 1, 6), some(count + 3, 1, 4)) for count in (3, 4, 5, 6, 9, 14)]
    cases += [(some(60, 1, 40), some(150, 1, 20)), (some(400, 1, LONGEST), some(900, 1, LONGEST // 2))]
    cases.append((some(1, LONGEST, LONGEST), some(3_000, 1, 400_000)))
    cases.append(([7] * 2_000, some(5_000, 1, 5)))
    cases.append((some(8_000, 5_000, 9_999), some(8_000, 100, 6_000)))
    for pieces, orders in cases:
        yield f"{len(pieces)} {len(orders)}\n{' '.join(map(str, pieces))}\n{' '.join(map(str, orders))}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
