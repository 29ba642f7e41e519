"""Inputs of lamp-quota: single villages, exact quotas, quotas nobody can meet, stars, paths, brooms, and the largest trees."""

import json
import random
from collections.abc import Iterator

_Roads = list[tuple[int, int]]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [[int(word) for word in line.split(" ")] for line in lines[:-1]]
    if not rows or len(rows[0]) != 1 or given != "".join(" ".join(map(str, row)) + "\n" for row in rows):
        raise ValueError("the spelling")
    n = rows[0][0]
    if not 1 <= n <= 4_000 or len(rows) != 2 * n:
        raise ValueError("the size")
    if any(len(row) != 3 or not 0 <= row[0] <= 10**9 or not 0 <= row[1] <= row[2] <= n for row in rows[1 : n + 1]):
        raise ValueError("a village")
    root = list(range(n + 1))
    for row in rows[n + 1 :]:
        if len(row) != 2 or not all(1 <= village <= n for village in row):
            raise ValueError("a road")
        a, b = row
        while root[a] != a:
            root[a] = a = root[root[a]]
        while root[b] != b:
            root[b] = b = root[root[b]]
        if a == b:
            raise ValueError("a ring")
        root[a] = b


def _text(villages: list[tuple[int, int, int]], roads: _Roads) -> str:
    return f"{len(villages)}\n" + "".join(f"{c} {a} {b}\n" for c, a, b in villages) + "".join(f"{a} {b}\n" for a, b in roads)


def _tree(rng: random.Random, n: int, back: int) -> _Roads:
    """Village i is joined to one of the `back` villages before it; then all are numbered anew, and the roads mixed."""
    name = rng.sample(range(1, n + 1), n)
    roads = [(name[at], name[rng.randint(max(0, at - back), at - 1)]) for at in range(1, n)]
    rng.shuffle(roads)
    return [road if rng.random() < 0.5 else road[::-1] for road in roads]


def _content(rng: random.Random, roads: _Roads, cost: int, slack: int, lit: float) -> str:
    """Quotas that some choice of lamps meets."""
    n = len(roads) + 1
    lamps = [rng.random() < lit for _ in range(n + 1)]
    seen = lamps[:]
    for a, b in roads:
        seen[a] += lamps[b]
        seen[b] += lamps[a]
    low = [max(0, seen[at] - rng.randint(0, slack)) for at in range(1, n + 1)]
    high = [min(n, seen[at] + rng.randint(0, slack)) for at in range(1, n + 1)]
    return _text([(rng.randint(0, cost), a, b) for a, b in zip(low, high)], roads)


def _small(rng: random.Random) -> str:
    n = rng.randint(1, 9)
    roads = _tree(rng, n, rng.choice((1, 2, 9)))
    if rng.random() < 0.3:
        quotas = [sorted((rng.randint(0, min(n, 2)), rng.randint(1, min(n, 4)))) for _ in range(n)]
        return _text([(rng.randint(0, 9), low, high) for low, high in quotas], roads)
    return _content(rng, roads, 9, rng.randint(0, 2), rng.choice((0.3, 0.5, 0.8)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_122)
    yield _text([(3, 1, 2), (5, 1, 1), (2, 0, 1), (4, 1, 2)], [(1, 2), (2, 3), (2, 4)])
    yield _text([(7, 1, 1), (2, 0, 0)], [(1, 2)])
    yield _text([(1, 2, 2), (1, 2, 2), (1, 2, 2)], [(1, 2), (2, 3)])
    yield _text([(9, 0, 0)], [])
    yield _text([(9, 1, 1)], [])
    yield _text([(0, 0, 2), (0, 2, 2)], [(2, 1)])
    yield _text([(5, 0, 3), (1, 1, 3), (1, 1, 3), (9, 2, 4)], [(4, 1), (4, 2), (4, 3)])
    yield _text([(5, 2, 2), (1, 1, 1), (2, 1, 1), (3, 1, 1), (4, 1, 1)], [(1, 2), (1, 3), (1, 4), (1, 5)])
    for _ in range(8):
        yield _small(rng)
    yield _content(rng, _tree(rng, 40, 40), 100, 1, 0.4)
    yield _content(rng, _tree(rng, 60, 2), 10**9, 0, 0.6)
    yield _content(rng, _tree(rng, 300, 5), 50, 2, 0.5)
    star = [(2_500, at) for at in range(1, 4_001) if at != 2_500]
    yield _text([(at * 7_919 % 1_009, 0, 2) if at != 2_500 else (10**9, 1_700, 1_900) for at in range(1, 4_001)], star)
    yield _text([(at % 5, 0, 1) if at != 2_500 else (3, 0, 4_000) for at in range(1, 4_001)], star)
    path = [(at, at + 1) for at in range(1, 4_000)]
    yield _text([(at * at % 97, 1, 2) for at in range(4_000)], path)
    yield _text([(10**9, 3 if 0 < at < 3_999 else 2, 3) for at in range(4_000)], path)
    broom = [(at, at + 1) for at in range(1, 1_500)] + [(1_500 - at % 2, at) for at in range(1_501, 4_001)]
    yield _text([(at * 31 % 64, at % 2, 2) if at < 1_499 else (at % 50, 0, 2) if at >= 1_501 else (8, 600, 700) for at in range(1, 4_001)], broom)
    yield _content(rng, _tree(rng, 1_500, 1_500), 10**5, 1, 0.5)
    yield _content(rng, _tree(rng, 1_200, 30), 99, 0, 0.3)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
