"""Inputs of sonar-box: the size of the sea and the two corners of the wreck."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    size, x1, y1, x2, y2 = map(int, value.removesuffix("\n").split(" "))
    if value != f"{size} {x1} {y1} {x2} {y2}\n":
        raise ValueError("format")
    if not (1 <= x1 <= x2 <= size <= 10**9 and 1 <= y1 <= y2 <= size):
        raise ValueError("number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_504)
    top = 10**9
    cases = [(1, 1, 1, 1, 1), (2, 1, 1, 2, 2), (2, 1, 2, 1, 2), (2, 2, 1, 2, 1), (2, 1, 1, 1, 2), (3, 2, 2, 2, 2)]
    cases += [(3, 1, 2, 3, 3), (5, 2, 3, 4, 4), (10, 1, 1, 10, 10), (10, 3, 10, 7, 10), (10, 10, 1, 10, 4)]
    cases += [(top, 1, 1, top, top), (top, 1, 1, 1, 1), (top, top, top, top, top), (top, 1, top, 1, top), (top, top, 1, top, 1)]
    cases += [(top, top // 2, top // 2, top // 2, top // 2), (top - 1, 7, top - 8, 9, top - 7)]
    for _ in range(8):
        size = rng.randint(top // 2, top)
        (x1, x2), (y1, y2) = (sorted(rng.randint(1, size) for _ in range(2)) for _ in range(2))
        cases.append((size, x1, y1, x2, y2))
    for size, x1, y1, x2, y2 in cases:
        yield f"{size} {x1} {y1} {x2} {y2}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
