"""Inputs of wave-crests: plateaus in every place, short exhaustive records, and long ones with one wide crest."""

import itertools
import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) != 3 or lines[2]:
        raise ValueError("two lines")
    count, heights = int(lines[0]), [int(each) for each in lines[1].split(" ")]
    if not 1 <= count <= 20_000 or len(heights) != count:
        raise ValueError("the number of measurements")
    if not all(-1000 <= height <= 1000 for height in heights):
        raise ValueError("a height")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_401)
    records: list[list[int]] = [[3, 5, 5, 2, 4, 1, 6], [7, 7, 7], [1, 2, 2, 3]]
    records += [[0], [-1000, -1000], [1000, -1000], [-1000, 1000], [5, 5, 4, 5, 5, 5], [1, 3, 3, 3, 4, 4, 2], [9, 8, 8, 8, 9]]
    # Every record over two heights, laid end to end with a valley between them: no short shape is missing.
    for size in (3, 4):
        records.append([height for each in itertools.product((1, 2), repeat=size) for height in (*each, 0)])
    records += [[rng.randint(0, 2) for _ in range(size)] for size in (5, 8, 12, 30, 100)]
    records += [[rng.randint(-1000, 1000) for _ in range(size)] for size in (50, 1_000)]
    records.append([height for height in range(-500, 501) for _ in range(3)])
    records.append([height for height in range(500, -501, -1) for _ in range(2)])
    records.append([1, 0] * 10_000)
    records.append([4] * 20_000)
    records.append([1] + [2] * 19_998 + [2])
    records.append([1] + [2] * 9_000 + [3] + [0, 2] * 5_000)
    yield from (f"{len(record)}\n{' '.join(map(str, record))}\n" for record in records)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
