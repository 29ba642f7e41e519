"""Inputs of punch-cards: narrow and wide cards, cards that are their own mirror images, empty and full ones."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    cards, width, least = value
    if not (type(width) is int and 1 <= width <= 60 and type(least) is int and 0 <= least <= width):
        raise ValueError("size")
    if not (type(cards) is list and 2 <= len(cards) <= 150):
        raise ValueError("count")
    if not all(type(card) is int and 0 <= card < 1 << width for card in cards):
        raise ValueError("card")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_503)

    def some(count: int, width: int, least: int) -> list[Any]:
        return [[rng.getrandbits(width) for _ in range(count)], width, least]

    yield [[12, 3, 10], 4, 2]
    yield [[1, 2, 4, 7], 3, 1]
    yield [[0, 0], 5, 0]
    yield [[1, 1], 1, 1]
    yield [[0, 1], 1, 1]
    yield [[1, 8], 4, 1]
    yield [[1, 4], 4, 1]
    yield [[6, 9, 6], 4, 2]
    yield [[2, 2, 4, 4], 3, 1]
    yield [[(1 << 60) - 1, (1 << 60) - 1, 1], 60, 60]
    yield [[1, 1 << 59, 1 << 30, 1 << 29], 60, 1]
    yield [[(1 << 30) - 1, ((1 << 30) - 1) << 30], 60, 30]
    yield [[5, 10, 15, 0], 4, 0]
    for count, width in ((5, 3), (8, 5), (20, 8), (40, 9), (100, 16), (150, 31), (150, 33), (150, 60)):
        yield some(count, width, width // 4 + 2)
    yield [[rng.choice((1, 1 << 40)) for _ in range(150)], 41, 1]
    yield [[rng.getrandbits(30) for _ in range(150)], 60, 8]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
