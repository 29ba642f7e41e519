"""Inputs of drawbridge-chase: ended at once, endless rings, exits under guard, bridges that seldom are down, and the largest."""

import json
import random
import re
from collections.abc import Iterator

_Bridge = tuple[int, int, str]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) < 3 or lines[-1]:
        raise ValueError("the lines")
    n, m, p, s, c = (int(word) for word in lines[0].split(" "))
    e, *exits = (int(word) for word in lines[1].split(" "))
    if lines[0] != f"{n} {m} {p} {s} {c}" or lines[1] != " ".join(map(str, (e, *exits))) or len(lines) != m + 3:
        raise ValueError("the spelling")
    if not (1 <= n <= 16 and 0 <= m <= 40 and 1 <= p <= 4 and 1 <= s <= n and 1 <= c <= n):
        raise ValueError("the size")
    if len(exits) != e or len(set(exits)) != e or not all(1 <= island <= n for island in exits):
        raise ValueError("the exits")
    for line in lines[2:-1]:
        fits = re.fullmatch(r"([1-9]\d?) ([1-9]\d?) ([01]+)", line)
        if not fits or len(fits[3]) != p or fits[1] == fits[2] or max(int(fits[1]), int(fits[2])) > n:
            raise ValueError("a bridge")


def _text(n: int, s: int, c: int, exits: list[int], bridges: list[_Bridge]) -> str:
    p = len(bridges[0][2]) if bridges else 1
    rows = "".join(f"{u} {v} {pattern}\n" for u, v, pattern in bridges)
    return f"{n} {len(bridges)} {p} {s} {c}\n{' '.join(map(str, (len(exits), *exits)))}\n{rows}"


def _random(rng: random.Random, n: int, m: int, p: int, exits: int, down: float, ring: bool = False) -> str:
    bridges = [(at, at % n + 1) for at in range(1, n + 1)] if ring and n > 2 else []
    while len(bridges) < m and n > 1:
        u, v = rng.sample(range(1, n + 1), 2)
        bridges.append((u, v))
    made = []
    for u, v in bridges:
        made.append((u, v, "".join("1" if rng.random() < down else "0" for _ in range(p))))
    return _text(n, rng.randint(1, n), rng.randint(1, n), rng.sample(range(1, n + 1), exits), made)


def _small(rng: random.Random) -> str:
    n = rng.randint(1, 6)
    return _random(rng, n, rng.randint(0, 8), rng.randint(1, 4), rng.randint(0, min(n, 2)), rng.choice((0.4, 0.7, 1)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_124)
    yield _text(3, 1, 3, [], [(1, 2, "1"), (2, 3, "1")])
    yield _text(4, 1, 3, [4], [(1, 2, "10"), (2, 4, "01"), (3, 4, "10")])
    yield _text(4, 1, 3, [], [(1, 2, "1"), (2, 3, "1"), (3, 4, "1"), (4, 1, "1")])
    yield _text(2, 1, 1, [1], [])
    yield _text(2, 1, 2, [1], [])
    yield _text(2, 1, 2, [2], [(1, 2, "1")])
    yield _text(2, 1, 2, [], [])
    yield _text(5, 1, 4, [5], [(1, 2, "1"), (2, 5, "1"), (4, 5, "1"), (2, 3, "1"), (3, 5, "1")])
    yield _text(6, 1, 4, [3, 6], [(1, 2, "110"), (2, 3, "001"), (1, 6, "010"), (4, 5, "101"), (5, 6, "011"), (4, 3, "100")])
    for _ in range(8):
        yield _small(rng)
    path = [(at, at + 1, "0100" if at % 2 else "0010") for at in range(1, 16)]
    yield _text(16, 16, 1, [], path)
    yield _text(16, 8, 1, [16], [(at, at + 1, "1001") for at in range(1, 16)])
    yield _text(16, 8, 16, [1], [(at, at + 1, "1" if at != 3 else "1") for at in range(1, 16)])
    yield _text(16, 3, 11, [], [(at, at % 16 + 1, "1000" if at == 9 else "1111") for at in range(1, 17)])
    yield _text(16, 3, 11, [], [(at, at % 16 + 1, "110" if at % 3 else "011") for at in range(1, 17)])
    for m, p, exits, down in ((20, 4, 1, 0.5), (24, 4, 1, 0.4), (40, 4, 1, 0.5), (40, 3, 0, 0.3), (30, 2, 1, 0.6)):
        yield _random(rng, 16, m, p, exits, down, ring=True)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
