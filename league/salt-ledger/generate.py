"""Inputs of salt-ledger: strikes of strikes, one entry struck many times, and chains as long as the ledger."""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    if not isinstance(given, list) or len(given) != 2 or not isinstance(given[1], list):
        raise ValueError("not pans and entries")
    pans, entries = given
    if type(pans) is not int or not 1 <= pans <= 1_000 or not 1 <= len(entries) <= 40_000:
        raise ValueError("pans or the number of entries")
    for at, entry in enumerate(entries):
        if not isinstance(entry, list) or not all(type(value) is int for value in entry):
            raise ValueError(f"entry {at}")
        match entry:
            case [0, pan, amount] if 0 <= pan < pans and -10_000 <= amount <= 10_000:
                pass
            case [1, struck] if 0 <= struck < at:
                pass
            case _:
                raise ValueError(f"entry {at}")


def _random(rng: random.Random, pans: int, size: int, strikes: float, back: int, most: int) -> list[Any]:
    """Entries of which about `strikes` are strikes, each of one of the `back` entries before it."""
    entries: list[list[int]] = []
    for at in range(size):
        if at and rng.random() < strikes:
            entries.append([1, rng.randint(max(0, at - back), at - 1)])
        else:
            entries.append([0, rng.randrange(pans), rng.randint(-most, most)])
    return [pans, entries]


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_318)
    yield [2, [[0, 0, 50], [0, 1, 30], [1, 0], [0, 1, -5]]]
    yield [1, [[0, 0, 8], [1, 0], [1, 1], [0, 0, 4]]]
    yield [2, [[0, 0, 10], [0, 1, 20], [1, 1], [1, 1], [1, 2]]]
    yield [1, [[0, 0, -10_000]]]
    yield [3, [[0, 2, 7]]]
    yield [1, [[0, 0, 6], [1, 0], [1, 1], [1, 2]]]
    yield [1, [[0, 0, 6], [1, 0], [1, 0], [1, 1], [1, 2]]]
    yield [1, [[0, 0, 6], [1, 0], [1, 1], [1, 1], [1, 2]]]
    yield [2, [[0, 1, 5], [1, 0], [0, 0, 3], [1, 1], [1, 3], [0, 1, 1], [1, 2], [1, 6]]]
    for size in (5, 7, 9, 12, 16):
        yield _random(rng, 2, size, 0.6, size, 9)
    yield _random(rng, 3, 40, 0.7, 4, 20)
    yield _random(rng, 10, 300, 0.6, 20, 100)
    yield _random(rng, 1_000, 1_500, 0.4, 1_500, 10_000)
    yield _random(rng, 5, 3_000, 0.9, 3, 10_000)
    yield [1, [[0, 0, 10_000]] * 4_000]
    yield [2, [[0, 1, 77]] + [[1, 0]] * 1_001]
    yield [2, [[0, at % 2, 1 + at % 9] for at in range(500)] + [[1, at] for at in range(999)]]
    yield _random(rng, 7, 9_000, 0.5, 6, 30)
    yield [1, [[0, 0, 9]] + [[1, at] for at in range(39_999)]]


def main() -> None:
    if sys.argv[1:] != ["validate"]:
        for given in inputs():
            print(json.dumps(given))
        return
    for line in sys.stdin:
        try:
            validate(json.loads(line))
            print("ok")
        except ValueError as wrong:
            print(f"wrong: {wrong}")


if __name__ == "__main__":
    main()
