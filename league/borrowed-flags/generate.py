"""Inputs of borrowed-flags: few boats in every division, one fleet alone, all boats apart, and many boats of each r."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    head, row, end = given.split("\n")
    (k, r), fleets = ([int(word) for word in line.split(" ")] for line in (head, row))
    if end or head != f"{k} {r}" or row != " ".join(map(str, fleets)):
        raise ValueError("the spelling")
    if len(fleets) != k or not 1 <= k <= 500 or min(fleets) < 1 or sum(fleets) > 500:
        raise ValueError("the fleets")
    if not 2 <= r <= min(6, sum(fleets)):
        raise ValueError("the boats that meet")


def _text(r: int, fleets: list[int]) -> str:
    return f"{len(fleets)} {r}\n{' '.join(map(str, fleets))}\n"


def _random(rng: random.Random, r: int, boats: int, fleets: int) -> str:
    cuts = sorted(rng.sample(range(1, boats), fleets - 1))
    return _text(r, [b - a for a, b in zip([0, *cuts], [*cuts, boats])])


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(50_923)
    yield _text(2, [1, 1, 1])
    yield _text(3, [2, 2])
    yield _text(3, [1, 1, 1, 1])
    yield _text(2, [1, 1])
    yield _text(6, [3, 2, 1])
    yield _text(5, [9])
    yield _text(4, [1, 4])
    yield _text(6, [1] * 7)
    yield _text(5, [3, 1, 2, 2])
    yield _text(6, [5, 4])
    yield _text(4, [2, 3, 2, 3])
    for r, boats, fleets in ((2, 12, 4), (3, 15, 5), (6, 20, 2), (5, 31, 6), (4, 60, 60), (6, 90, 7), (3, 150, 11)):
        yield _random(rng, r, boats, fleets)
    yield _text(6, [1] * 180)
    yield _text(5, [120, 1, 119])
    yield _text(2, [1] * 500)
    yield _random(rng, 3, 500, 40)
    yield _text(6, [499, 1])
    yield _random(rng, 6, 500, 300)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
