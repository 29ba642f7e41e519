"""Inputs of ferry-lines: hidden trees of triangles among lines that mislead, crowded pairs of islands, and loose islands."""

import json
import random
from collections.abc import Iterator

Line = list[int]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    rows = given.split("\n")
    if rows.pop():
        raise ValueError("the last line has no end")
    numbers = [[int(word) for word in row.split(" ")] for row in rows]
    if any(row != " ".join(map(str, each)) for row, each in zip(rows, numbers)):
        raise ValueError("the spelling")
    (n, m), *lines = numbers
    if not 1 <= n <= 50 or not 0 <= m <= 120 or len(lines) != m:
        raise ValueError("a count")
    for line in lines:
        if len(line) not in (2, 3) or len(set(line)) < len(line) or not all(1 <= island <= n for island in line):
            raise ValueError("a line")


def _text(n: int, lines: list[Line]) -> str:
    return f"{n} {len(lines)}\n" + "".join(" ".join(map(str, line)) + "\n" for line in lines)


def _shuffled(rng: random.Random, n: int, lines: list[Line]) -> str:
    """The same lines with other numbers and in another order."""
    names = rng.sample(range(1, n + 1), n)
    lines = [rng.sample([names[island - 1] for island in line], len(line)) for line in lines]
    rng.shuffle(lines)
    return _text(n, lines)


def _random(rng: random.Random, n: int, m: int, trios: float) -> str:
    return _text(n, [rng.sample(range(1, n + 1), 3 if n > 2 and rng.random() < trios else 2) for _ in range(m)])


def _tree(rng: random.Random, first: int, count: int, deep: int) -> list[Line]:
    """`count` lines that join island `first` and the 2 * count next ones; a small `deep` makes long chains."""
    there, lines = [first], []
    for at in range(count):
        two = [first + 2 * at + 1, first + 2 * at + 2]
        lines.append([rng.choice(there[-deep:]), *two])
        there += two
    return lines


def _hidden(rng: random.Random, trees: list[int], decoys: int, pairs: int, deep: int) -> str:
    """Trees of lines side by side, lines that share two islands with one of them, and some of two islands."""
    lines: list[Line] = []
    first = 1
    for count in trees:
        lines += _tree(rng, first, count, deep)
        first += 2 * count + 1
    n = first - 1
    tree = list(lines)
    while len(lines) < len(tree) + decoys:
        a, b = rng.sample(rng.choice(tree), 2)
        c = rng.randint(1, n)
        if c not in (a, b):
            lines.append([a, b, c])
    parts = [1]
    for count in trees[:-1]:
        parts.append(parts[-1] + 2 * count + 1)
    lines += [[a, b] for a, b in zip(parts, parts[1:])]
    lines += [rng.sample(range(1, n + 1), 2) for _ in range(pairs)]
    return _shuffled(rng, n, lines)


def _steps(rng: random.Random, count: int, wide: int, hubs: int, spare: int) -> str:
    """Two rows of islands: line i of a harbour can take island i of one row and a few islands before i of the other.

    All pairs fit together in one way alone, and a wrong first pair is felt only at the far end. Harbours are the
    ends of lines that share one island, so that it makes no difference which of them a line calls at.
    """
    low, high = [hubs + at for at in range(1, count + 1)], [hubs + count + at for at in range(1, count + 1)]
    n = hubs + 2 * count
    lines = [[1, at, at + 1] for at in range(2, hubs, 2)]
    for at in range(count):
        for other in range(max(0, at - wide + 1), at + 1):
            lines.append([rng.randint(1, hubs), low[at], high[other]])
    for _ in range(spare):
        at = rng.randrange(1, count)
        lines.append([1, low[at], low[rng.randrange(at)]])
    lines += [[island, island + 1] for island in range(4, n, 4)]
    return _shuffled(rng, n, lines[:120])


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(40_117)
    yield _text(7, [[1, 2, 3], [3, 4, 5], [2, 4, 6], [5, 6, 7], [1, 7]])
    yield _text(6, [[1, 2, 3], [1, 2, 4], [1, 2, 5], [1, 2, 6], [5, 6]])
    yield _text(4, [[1, 2], [3, 4], [2, 1]])
    yield _text(1, [])
    yield _text(2, [])
    yield _text(3, [[1, 2, 3], [1, 2], [2, 3]])
    yield _random(rng, 9, 7, 0.9)
    yield _random(rng, 8, 12, 0.6)
    yield _random(rng, 11, 12, 1)
    yield _random(rng, 50, 120, 0)
    yield _random(rng, 49, 120, 1)
    # Ten pairs of islands, each in many lines: of the lines of one pair only one can join three parts.
    crowd = [[2 * at + 1, 2 * at + 2, rng.randint(21, 50)] for at in range(10) for _ in range(9)]
    yield _shuffled(rng, 50, crowd + [[island, island + 1] for island in range(21, 50)])
    for trees, decoys, pairs, deep in (([12], 18, 2, 3), ([24], 60, 0, 2), ([24], 70, 5, 9), ([8, 7, 7], 44, 10, 4)):
        yield _hidden(rng, trees, decoys, pairs, deep)
    for count, wide, hubs, spare in ((24, 4, 1, 0), (24, 5, 1, 0), (23, 4, 3, 0), (22, 5, 5, 0), (24, 3, 1, 20), (18, 4, 1, 30), (20, 5, 9, 0), (23, 5, 1, 1)):
        yield _steps(rng, count, wide, hubs, spare)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
