"""Inputs of storm-warden: graphs with exactly two separate trees, graphs that lack one bridge in a place hard to see, and dense ones."""

import json
import random
from collections.abc import Iterator

Bridge = tuple[int, int]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if lines.pop():
        raise ValueError("the last line has no end")
    rows = [[int(word) for word in line.split(" ")] for line in lines]
    if any(line != " ".join(map(str, row)) for line, row in zip(lines, rows)):
        raise ValueError("the spelling")
    (n, m, _), *bridges = rows
    if not 2 <= n <= 16 or not 1 <= m <= 40 or len(bridges) != m:
        raise ValueError("a count")
    part = list(range(n + 1))
    for u, v in bridges:
        if not (1 <= u <= n and 1 <= v <= n and u != v):
            raise ValueError("a bridge")
        part = [part[v] if where == part[u] else where for where in part]
    if len(set(part[1:])) > 1:
        raise ValueError("not connected")


def _text(rng: random.Random, n: int, bridges: list[Bridge]) -> str:
    """The same bridges with other numbers of islands, and in another order."""
    names = rng.sample(range(1, n + 1), n)
    rows = [rng.sample((names[u], names[v]), 2) for u, v in bridges]
    rng.shuffle(rows)
    return f"{n} {len(rows)} {rng.randrange(10**6)}\n" + "".join(f"{u} {v}\n" for u, v in rows)


def _tree(rng: random.Random, islands: list[int], deep: int) -> list[Bridge]:
    order = rng.sample(islands, len(islands))
    return [(rng.choice(order[max(0, at - deep) : at]), order[at]) for at in range(1, len(order))]


def _two_trees(rng: random.Random, islands: list[int], deep: int, more: int = 0) -> list[Bridge]:
    bridges = _tree(rng, islands, deep) + _tree(rng, islands, deep)
    return bridges + [tuple(rng.sample(islands, 2)) for _ in range(more)]  # type: ignore[misc]


def _lacking(rng: random.Random, sizes: list[int], more: int, lack: int = 1) -> tuple[int, list[Bridge]]:
    """Parts with two trees and more inside, and between k parts 2 (k - 1) - `lack` bridges."""
    parts, n = [], 0
    for size in sizes:
        parts.append(list(range(n, n + size)))
        n += size
    bridges = [bridge for part in parts for bridge in _two_trees(rng, part, 4, more if len(part) > 1 else 0)]
    between = _two_trees(rng, list(range(len(parts))), 3)[: 2 * (len(parts) - 1) - lack]
    return n, bridges + [(rng.choice(parts[a]), rng.choice(parts[b])) for a, b in between]


def _wide_cuts(rng: random.Random, thin: int, far: int = 0) -> tuple[int, list[Bridge]]:
    """Six parts of which each has three bridges to the others, one too few in all, though no cut has fewer than three.

    One of the parts is large. `thin` of its islands, and a piece of it with `far` islands, have three bridges to the
    rest, too, where it does no harm.
    """
    core, piece = list(range(5, 16 - thin - far)), list(range(16 - thin - far, 16 - thin))
    while True:
        bridges = [(a, b if b < 5 else rng.choice(core)) for a in (0, 1, 2) for b in (3, 4, 5)]
        bridges += _two_trees(rng, core, 9, 3)
        if far:
            bridges += _two_trees(rng, piece, 9, 3) + [(rng.choice(core), rng.choice(piece)) for _ in range(3)]
        for island in range(16 - thin, 16):
            bridges += [(island, other) for other in rng.sample(core, 3)]
        ends = [island for bridge in bridges for island in bridge]
        if len(bridges) <= 40 and all(ends.count(island) > 2 for island in range(16)):
            return 16, bridges


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(70_301)
    for n, bridges in ((2, [(0, 1)]), (2, [(0, 1)] * 2), (3, [(0, 1), (1, 2), (0, 2)]), (3, [(0, 1), (0, 1), (1, 2), (1, 2)])):
        yield _text(rng, n, bridges)
    yield _text(rng, 4, [(a, b) for a in range(4) for b in range(a)])
    yield _text(rng, 5, [(a, b) for a in range(5) for b in range(a)][:-2])
    for n, deep, more in ((7, 3, 0), (9, 2, 0), (12, 3, 0), (16, 2, 0), (16, 4, 0), (16, 20, 0), (14, 3, 3), (16, 2, 5), (12, 20, 10), (15, 5, 1)):
        yield _text(rng, n, _two_trees(rng, list(range(n)), deep, more))
    for sizes, more, lack in (
        ([3, 3], 1, 1), ([4, 1, 4, 1], 1, 1), ([2, 3, 2, 3, 2], 1, 1), ([6, 1, 1, 1, 1, 1], 6, 1), ([1] * 16, 0, 1),
        ([3, 2, 3, 2, 2, 2, 2], 1, 1), ([5, 5, 5], 2, 1), ([8, 8], 4, 1), ([4, 4, 4, 4], 2, 1), ([6, 1, 6, 1], 3, 2), ([2] * 8, 1, 1), ([3, 1, 3, 1, 3, 1, 3], 1, 1),
    ):  # fmt: skip
        yield _text(rng, *_lacking(rng, sizes, more, lack))
    yield _text(rng, 6, [(a, b) for a in (0, 1, 2) for b in (3, 4, 5)])
    for thin, far in ((7, 0), (7, 0), (0, 7)):
        yield _text(rng, *_wide_cuts(rng, thin, far))


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
