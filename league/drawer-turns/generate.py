"""Inputs of drawer-turns: no evenings, special ones always or never, rests of every length, and long cycles."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 4:
        raise ValueError("not four arguments")
    daily, special, every, days = given
    for moves in (daily, special):
        if not isinstance(moves, list) or not all(type(drawer) is int for drawer in moves):
            raise ValueError("a list")
        if not 1 <= len(moves) <= 1_000 or sorted(moves) != list(range(1, len(moves) + 1)):
            raise ValueError("not a permutation")
    if len(daily) != len(special) or type(every) is not int or type(days) is not int:
        raise ValueError("the lengths or the types")
    if not 1 <= every <= 10**18 or not 0 <= days <= 10**18:
        raise ValueError("a number")


def _moves(rng: random.Random, n: int, longest: int) -> list[int]:
    """A permutation of cycles of at most this length."""
    order, moves, at = rng.sample(range(n), n), [0] * n, 0
    while at < n:
        cycle = order[at : at + rng.randint(1, longest)]
        for here, there in zip(cycle, cycle[1:] + cycle[:1]):
            moves[here] = there + 1
        at += len(cycle)
    return moves


def _random(rng: random.Random, n: int, longest: int, every: int, days: int) -> list[Any]:
    return [_moves(rng, n, longest), _moves(rng, n, longest), every, days]


def _small(rng: random.Random) -> list[Any]:
    n = rng.randint(1, 7)
    return _random(rng, n, n, rng.randint(1, 6), rng.randint(0, 40))


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_125)
    yield [[2, 3, 1], [1, 3, 2], 3, 4]
    yield [[2, 1, 3, 4], [1, 2, 4, 3], 2, 2]
    yield [[3, 1, 2], [2, 1, 3], 5, 0]
    yield [[1], [1], 1, 10**18]
    yield [[2, 3, 1], [2, 1, 3], 1, 7]
    yield [[2, 3, 4, 1], [4, 3, 2, 1], 10**18, 10**18]
    yield [[2, 3, 4, 1], [4, 3, 2, 1], 10**18, 10**18 - 1]
    for days in (1, 2, 3, 4, 5, 9):
        yield _random(rng, 6, 6, 3, days)
    for _ in range(3):
        yield _small(rng)
    yield _random(rng, 40, 13, 7, 12_345)
    yield _random(rng, 100, 30, 10, 999_999)
    yield _random(rng, 1_000, 1_000, 2, 10**18)
    yield _random(rng, 1_000, 60, 1, 10**18 - 1)
    yield _random(rng, 1_000, 25, 720_720, 10**18 - 3)
    yield _random(rng, 1_000, 1_000, 999_999_937, 999_999_999_999_999_989)
    yield _random(rng, 1_000, 400, 10**17, 10**18 - 10**16)
    yield _random(rng, 999, 999, 5, 4)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
