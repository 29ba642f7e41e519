"""Inputs of cargo-balance: the worst moment at the start, in the middle and at the end, on either side, and long loadings."""

import itertools
import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    count, barge = (int(each) for each in lines[0].split(" "))
    if not 1 <= count <= 12_000 or len(lines) != count + 2 or lines[-1]:
        raise ValueError("the number of containers")
    if not 1 <= barge <= 1_000_000:
        raise ValueError("the weight of the barge")
    for line in lines[1:-1]:
        weight, place = (int(each) for each in line.split(" "))
        if not (1 <= weight <= 1000 and -1000 <= place <= 1000):
            raise ValueError("a container")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_403)

    def loading(count: int, heaviest: int, low: int, high: int) -> list[tuple[int, int]]:
        return [(rng.randint(1, heaviest), rng.randint(low, high)) for _ in range(count)]

    cases: list[tuple[int, list[tuple[int, int]]]] = [
        (100, [(50, 30), (50, -30), (100, 12)]),
        (10, [(1, -7)]),
        (200, [(20, 0), (30, 0)]),
        (1, [(1, 1)]),
        (1, [(1000, -1000)]),
        (1_000_000, [(1, 1)]),
        (1_000_000, [(1000, 1000)] * 40),
        (7, [(3, 10), (3, -10), (3, -10), (3, 10)]),
        (7, [(3, -10), (3, 10), (3, 10), (3, -10)]),
        (3, [(1000, -1000), (999, 1000), (1, 1000)]),
    ]
    cases += [(2, list(zip(weights, (5, -4, -4), strict=True))) for weights in itertools.product((1, 6), repeat=3)][::3]
    cases += [(rng.randint(1, 50), loading(count, 9, -9, 9)) for count in (4, 7, 12, 40)]
    cases += [(rng.randint(1, 10_000), loading(count, 1000, -1000, 1000)) for count in (100, 900)]
    cases.append((1, loading(3_000, 20, -1000, -990)))
    cases.append((40_000, loading(3_000, 1000, 1, 99) + loading(6_000, 1000, -99, -1)))
    cases.append((500, loading(12_000, 99, -40, 60)))
    for barge, containers in cases:
        yield f"{len(containers)} {barge}\n" + "".join(f"{weight} {place}\n" for weight, place in containers)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
