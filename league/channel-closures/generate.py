"""Inputs of channel-closures: doubled channels, several networks, rings on strings, long strings, and a large network."""

import itertools
import json
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    harbours, channels = given
    if not (type(harbours) is int and 1 <= harbours <= 8000) or len(channels) > 10_000:
        raise ValueError("the size")
    for channel in channels:
        here, there = channel
        if not (type(here) is int and type(there) is int and 1 <= here <= harbours and 1 <= there <= harbours):
            raise ValueError("a harbour")
        if here == there:
            raise ValueError("a channel from a harbour to itself")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_410)

    def some(harbours: int, count: int) -> list[Any]:
        return [harbours, [rng.sample(range(1, harbours + 1), 2) for _ in range(count)]]

    def rings(count: int, size: int, extra: int) -> list[Any]:
        """Rings of `size` harbours, each hung on an earlier one by a single channel, in mixed order."""
        channels = []
        for ring in range(count):
            members = [ring * size + place + 1 for place in range(size)]
            if size > 1:
                channels += [[here, there] for here, there in zip(members, members[1:] + members[:1], strict=True)]
            if ring:
                channels.append([members[0], rng.randint(1, ring * size)])
        channels += some(count * size, extra)[1]
        names = rng.sample(range(1, count * size + 1), count * size)
        rng.shuffle(channels)
        return [count * size, [[names[here - 1], names[there - 1]] for here, there in channels]]

    yield from ([5, [[1, 2], [2, 3], [3, 1], [3, 4], [4, 5]]], [4, [[1, 2], [2, 1], [3, 4]]], [3, []])
    yield from ([1, []], [2, [[2, 1]]], [2, [[1, 2], [2, 1], [1, 2]]], [6, [[1, 2], [3, 4], [5, 6], [4, 3]]])
    yield [7, [[1, 2], [2, 3], [3, 1], [4, 5], [5, 6], [6, 4], [7, 4]]]
    yield [6, [[1, 2], [2, 3], [1, 3], [3, 4], [4, 5], [5, 6], [6, 4]]]
    yield [4, [list(pair) for pair in itertools.combinations(range(1, 5), 2)]]
    yield from (some(harbours, count) for harbours, count in ((4, 4), (5, 5), (6, 6), (8, 8), (12, 12), (30, 28), (200, 180)))
    yield rings(40, 3, 0)
    yield rings(300, 2, 20)
    yield rings(100, 7, 3)
    yield [2_000, [[place, place + 1] for place in range(1, 2_000)]]
    yield [8_000, [[place, place % 8_000 + 1] for place in range(1, 8_001)]]
    yield rings(1_700, 3, 250)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
