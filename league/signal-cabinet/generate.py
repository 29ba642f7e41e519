"""Inputs of signal-cabinet: each rule alone, rings of needs, needs against bars, and many moves."""

import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 4 or type(given[0]) is not int or not 1 <= given[0] <= 500:
        raise ValueError("the levers")
    levers, needs, bars, moves = given
    for pairs in (needs, bars):
        if not isinstance(pairs, list) or len(pairs) > 2_000:
            raise ValueError("the rules")
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2 or not all(type(x) is int and 1 <= x <= levers for x in pair):
                raise ValueError("a pair")
            if pair[0] == pair[1]:
                raise ValueError("a lever and itself")
    if not isinstance(moves, list) or not 1 <= len(moves) <= 20_000:
        raise ValueError("the moves")
    if not all(type(x) is int and 1 <= x <= levers for x in moves):
        raise ValueError("a move")


def _random(rng: random.Random, levers: int, needs: int, bars: int, moves: int, acyclic: bool) -> list[Any]:
    def pairs(count: int, ordered: bool) -> list[list[int]]:
        made = [rng.sample(range(1, levers + 1), 2) for _ in range(count if levers > 1 else 0)]
        return [sorted(pair, reverse=True) for pair in made] if ordered else made

    return [levers, pairs(needs, acyclic), pairs(bars, False), [rng.randint(1, levers) for _ in range(moves)]]


def _small(rng: random.Random) -> list[Any]:
    return _random(rng, rng.randint(1, 6), rng.randint(0, 4), rng.randint(0, 3), rng.randint(1, 20), rng.random() < 0.7)


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_111)
    yield [3, [[2, 1]], [[1, 3]], [2, 1, 2, 1, 3, 2, 1, 3]]
    yield [2, [[1, 2], [2, 1]], [], [1, 2, 1]]
    yield [2, [], [[2, 1]], [1, 2, 1, 2, 1]]
    yield [1, [], [], [1, 1, 1]]
    yield [2, [[1, 2]], [[1, 2]], [2, 1, 2, 1]]
    yield [4, [[1, 2], [1, 3], [1, 4]], [], [2, 3, 1, 4, 1, 2, 3, 4, 1, 4, 3, 2]]
    yield [4, [[2, 1], [3, 1], [4, 1]], [], [1, 2, 3, 1, 2, 1, 4, 3, 1, 4, 1]]
    yield [3, [[3, 2], [2, 1]], [], [3, 2, 1, 2, 3, 1, 2, 3, 2, 1]]
    for _ in range(8):
        yield _small(rng)
    yield _random(rng, 20, 12, 10, 400, True)
    yield _random(rng, 60, 60, 40, 2_000, True)
    yield _random(rng, 500, 300, 200, 5_000, True)
    yield [500, [[at, at - 1] for at in range(2, 501)], [], [*range(1, 501), *range(1, 501), *range(500, 0, -1)]]
    yield [500, [[at, at % 500 + 1] for at in range(1, 501)], [[1, 2]], list(range(1, 501)) * 4]
    yield [500, [[at % 400 + 100, at % 99 + 1] for at in range(2_000)], [[at % 90 + 1, 500] for at in range(2_000)], list(range(1, 501)) * 28]
    yield [50, [[at % 48 + 2, 1] for at in range(2_000)], [[at % 48 + 2, 50] for at in range(2_000)], [1, 2, 50, 3, 1] * 4_000]
    yield [300, [[at % 299 + 1, 300] for at in range(2_000)], [], [7, 300, 8, 300] * 5_000]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
