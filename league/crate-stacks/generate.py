"""Inputs of crate-stacks: equal crates, equal widths or depths, grids, chains and fans, and a large mixed load."""

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    (crates,) = given
    if not 1 <= len(crates) <= 12_000:
        raise ValueError("the number of crates")
    for crate in crates:
        width, depth = crate
        if not (type(width) is int and type(depth) is int and 1 <= width <= 1000 and 1 <= depth <= 1000):
            raise ValueError("a crate")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_413)

    def some(count: int, widest: int, deepest: int) -> list[list[int]]:
        return [[rng.randint(1, widest), rng.randint(1, deepest)] for _ in range(count)]

    loads = [[[5, 4], [3, 3], [4, 6], [2, 1]], [[2, 2], [2, 2], [1, 1]], [[7, 1], [7, 2], [7, 3]]]
    loads += [[[1, 1]], [[1000, 1000], [1, 1]], [[1, 2], [2, 1]], [[3, 1], [3, 2], [4, 2], [4, 3]], [[2, 5], [3, 5], [4, 5]]]
    loads.append([list(pair) for pair in itertools.product((1, 2, 3), repeat=2)])
    loads.append([[1, 5], [2, 1], [3, 2], [4, 6], [5, 3], [6, 4]])
    loads += [some(count, most, most) for count, most in ((5, 3), (6, 4), (7, 4), (9, 5), (14, 6), (25, 8))]
    loads += [some(200, 1000, 1000), some(900, 12, 1000), some(2_000, 1000, 40)]
    loads.append([[size, size] for size in rng.sample(range(1, 1_001), 1_000)])
    loads.append([[size, 1_001 - size] for size in rng.sample(range(1, 1_001), 1_000)])
    # Depth falls as width grows, but for some noise: nearly every crate needs a stack of its own.
    loads.append([[width, min(1000, max(1, 1000 - width + rng.randint(-3, 3)))] for width in rng.choices(range(1, 1_001), k=12_000)])
    for load in loads:
        yield [load]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
