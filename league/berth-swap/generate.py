"""Inputs of berth-swap: rings short and long, chains of calls, berths that come free late, empty lists, and the largest."""

import json
import random
from collections.abc import Iterator

_Ship = tuple[int, list[int]]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[:-1]]
    if not rows or len(rows[0]) != 2 or given != "".join(" ".join(map(str, row)) + "\n" for row in rows):
        raise ValueError("the spelling")
    n, m = rows[0]
    if not (1 <= n <= 3_000 and 1 <= m <= 3_000) or len(rows) != n + 1:
        raise ValueError("the size")
    held = [row[0] for row in rows[1:] if row[0]]
    if len(set(held)) != len(held) or not all(1 <= berth <= m for berth in held):
        raise ValueError("a berth that is held")
    for row in rows[1:]:
        wanted = row[2:]
        if len(row) < 2 or len(wanted) != row[1] or len(set(wanted)) != len(wanted):
            raise ValueError("a list")
        if not all(1 <= berth <= m for berth in wanted):
            raise ValueError("a berth on a list")
    if sum(row[1] for row in rows[1:]) > 15_000:
        raise ValueError("too long lists")


def _text(m: int, ships: list[_Ship]) -> str:
    return f"{len(ships)} {m}\n" + "".join(" ".join(map(str, (held, len(wanted), *wanted))) + "\n" for held, wanted in ships)


def _random(rng: random.Random, n: int, m: int, length: int, holders: float) -> str:
    berths = rng.sample(range(1, m + 1), m)
    ships = []
    for _ in range(n):
        held = berths.pop() if berths and rng.random() < holders else 0
        count = min(m, rng.randint(0, length))
        favoured = rng.sample(range(1, m + 1), min(m, 2 * count))
        ships.append((held, rng.sample(favoured, count)))
    return _text(m, ships)


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 7), rng.randint(1, 7), rng.randint(1, 6), rng.choice((0.3, 0.6, 0.9)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_107)
    yield _text(4, [(0, [2, 1]), (2, [3, 4]), (3, [2])])
    yield _text(3, [(0, [1, 3]), (1, [2]), (2, [1]), (0, [1])])
    yield _text(3, [(1, []), (0, [1]), (0, [1, 2])])
    yield _text(1, [(1, [1])])
    yield _text(1, [(0, []), (0, [1]), (0, [1])])
    yield _text(3, [(1, [2, 1, 3]), (2, [2, 1]), (3, [1, 2])])
    yield _text(4, [(0, [1]), (1, [2]), (2, [3]), (3, [4])])
    yield _text(4, [(1, [2]), (2, [3]), (3, [1]), (0, [1, 4])])
    yield _text(5, [(0, [3, 5]), (1, [2]), (3, [1]), (2, [1, 4])])
    for _ in range(8):
        yield _small(rng)
    yield _random(rng, 60, 50, 10, 0.5)
    yield _random(rng, 300, 320, 12, 0.7)
    yield _random(rng, 800, 700, 8, 0.9)
    yield _random(rng, 700, 800, 6, 1.0)
    yield _text(3_000, [(0, [at, *(3_000 - at % 40 - step for step in range(4))]) for at in range(1, 2_951)])
    yield _text(2_000, [(at, [at % 2_000 + 1]) for at in range(1, 2_001)])
    yield _text(2_000, [(0, [1])] + [(at, [at + 1]) for at in range(1, 2_000)])
    yield _text(2_000, [(at, [2_000 - at, 2_001 - at] if at < 2_000 else []) for at in range(1, 2_001)])
    yield _text(2_000, [(0, [1, 2, 3, 4, 5]) for _ in range(10)] + [(at, [2_000, at - 9]) for at in range(10, 1_990)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
