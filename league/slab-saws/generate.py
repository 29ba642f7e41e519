"""Inputs of slab-saws: yards whose values nearly cancel, slabs at and beside powers of p and q, and one slab alone."""

import json
import random
from collections.abc import Iterator

Slab = tuple[int, int, int, int]
_BIG = 10**18


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if lines.pop():
        raise ValueError("the last line has no end")
    rows = [[int(word) for word in line.split(" ")] for line in lines]
    if any(line != " ".join(map(str, row)) for line, row in zip(lines, rows)):
        raise ValueError("the spelling")
    at, slabs = 1, 0
    (games,) = rows[0]
    for _ in range(games):
        (count,) = rows[at]
        if count < 1:
            raise ValueError("no slab")
        for a, p, b, q in rows[at + 1 : at + 1 + count]:
            slabs += 1
            if not (1 <= a <= _BIG and 1 <= b <= _BIG and 2 <= p <= _BIG and 2 <= q <= _BIG):
                raise ValueError("a slab")
        at += 1 + count
    if at != len(rows) or not 1 <= games <= 100 or slabs > 300:
        raise ValueError("a count")


def _text(games: list[list[Slab]]) -> str:
    rows = "".join(f"{len(game)}\n" + "".join(" ".join(map(str, slab)) + "\n" for slab in game) for game in games)
    return f"{len(games)}\n{rows}"


def _value(slab: Slab) -> int:
    a, p, b, q = slab
    while a >= p and b >= q:
        a, b = a // p, b // q
    return (a - 1) // (p - 1) - (b - 1) // (q - 1)


def _balanced(rng: random.Random, slabs: list[Slab], off: int) -> list[Slab]:
    """The slabs and one that only one of the two can saw, so that all together are worth `off`."""
    rest = off - sum(map(_value, slabs))
    other, mark = rng.randint(2, 9), rng.randint(2, 4)
    if abs(rest) * (mark - 1) + mark > _BIG:
        return slabs
    long = abs(rest) * (mark - 1) + 1 + rng.randint(0, mark - 2)
    slabs = [*slabs, (long, mark, rng.randint(1, other - 1), other) if rest > 0 else (rng.randint(1, other - 1), other, long, mark)]
    return rng.sample(slabs, len(slabs))


def _slab(rng: random.Random, most: int, mark: int) -> Slab:
    return rng.randint(1, most), rng.randint(2, mark), rng.randint(1, most), rng.randint(2, mark)


def _near_powers(rng: random.Random, most: int, mark: int) -> Slab:
    """Sides at a multiple of a power or just beside it, of exponents that are close to each other."""
    sides, exponent = [], rng.randint(0, 60)
    for _ in range(2):
        base = rng.randint(2, mark)
        power = base ** max(0, exponent + rng.randint(-1, 1))
        while power > most:
            power //= base
        side = power * rng.choice((1, 1, 1 + (base - 1) * rng.randint(1, 5), rng.randint(1, 2 * base))) + rng.choice((-1, -1, 0, 1))
        sides.append((min(most, max(1, side)), base))
    return (*sides[0], *sides[1])


def _yards(rng: random.Random, games: int, slabs: int, make, most: int, mark: int) -> str:  # type: ignore[no-untyped-def]
    return _text([_balanced(rng, [make(rng, most, mark) for _ in range(rng.randint(1, slabs))], rng.choice((-1, 0, 0, 1))) for _ in range(games)])


def _marks_that_wrap(rng: random.Random) -> Slab:
    """A slab with a number whose square wraps in 64 bits, to less than nothing or to less than the side."""
    mark = rng.randint(3_040_000_000, 4_290_000_000) if rng.random() < 0.3 else rng.randint(4_295_000_000, 4_300_000_000)
    long, small = rng.randint(_BIG // 2, _BIG), rng.randint(2, 4)
    wide, high = (rng.randint(mark * 10**7, _BIG), mark), (long, small)
    return (*wide, *high) if rng.random() < 0.5 else (*high, *wide)


def _heap(rng: random.Random, count: int, share: float) -> list[Slab]:
    """Slabs of the greatest values; the share is how many of them Anna alone can saw."""
    slabs: list[Slab] = []
    for at in range(count):
        long, other = rng.randint(_BIG - _BIG // 20, _BIG), rng.randint(2, 9)
        slabs.append((long, 2, other - 1, other) if at < share * count else (other - 1, other, long, 2))
    return rng.sample(slabs, count)


def _worth_2_to_64() -> list[Slab]:
    """Slabs that are worth 2^64 together."""
    slabs: list[Slab] = [(_BIG, 2, 1, 2)] * 18
    return [*slabs, (2**64 - sum(map(_value, slabs)) + 1, 2, 1, 2)]


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(80_515)
    yield _text([[(3, 3, 1, 2)], [(3, 3, 2, 2)], [(1, 3, 2, 2)]])
    yield _text([[(5, 2, 3, 2)], [(5, 2, 3, 2), (1, 2, 2, 2)], [(5, 2, 3, 2), (2, 3, 3, 2)]])
    yield _text([[(9, 3, 5, 2), (2, 7, 4, 3)], [(_BIG, 2, _BIG, 2)], [(_BIG, 2, _BIG, 3)], [(1, 2, 1, 2)]])
    yield _text([[(a, 3, b, 2)] for a in range(1, 11) for b in range(1, 11)])
    yield _text([[(a, 2, b, 4)] for a in range(1, 11) for b in range(1, 11)])
    yield _text([_balanced(rng, [(a, 3, b, 2)], 0) for a in range(9, 19) for b in range(1, 11)])
    for games, slabs, most, mark in ((60, 2, 8, 3), (75, 3, 30, 4), (60, 3, 100, 5), (50, 4, 1_000, 6), (50, 4, 10**6, 10)):
        yield _yards(rng, games, slabs, _slab, most, mark)
    for games, slabs, most, mark in ((75, 2, 200, 3), (75, 3, 10**5, 4), (75, 3, 10**9, 7), (75, 3, _BIG // 4, 3), (75, 3, _BIG // 9, 9), (60, 4, _BIG // 9, 1_000), (60, 4, _BIG // 9, 2)):
        yield _yards(rng, games, slabs, _near_powers, most, mark)
    for games, slabs, most, mark in ((60, 4, _BIG // 4, 3), (60, 4, _BIG // 4, 40), (30, 9, _BIG // 10, 10**6)):
        yield _yards(rng, games, slabs, _slab, most, mark)
    powers = [(base**exponent, exponent, base) for base in (2, 3, 5, 7, 10) for exponent in range(1, 60) if base**exponent <= _BIG]
    for _ in range(2):
        games = []
        for _ in range(100):
            (x, _, p), (y, _, q) = rng.sample(powers, 2)
            games.append([(x - rng.randint(0, 1), p, y - rng.randint(0, 1), q)])
        yield _text(games)
    yield _text([_balanced(rng, [_marks_that_wrap(rng)], rng.choice((-1, 0, 1))) for _ in range(60)])
    heaps = [_heap(rng, 12, 1), _heap(rng, 17, 0), _heap(rng, 16, 1), _worth_2_to_64()]
    # Those of one side first, so that what has been added up needs more digits than any floating-point number has.
    yield _text(heaps + [sorted(_balanced(rng, _heap(rng, 44, 0.5), off), key=_value) for off in (-1, 1, 0, -1, 1)])
    yield _text([[(_BIG, _BIG, _BIG, _BIG)], [(_BIG, _BIG, _BIG - 1, _BIG)], [(_BIG - 1, _BIG, _BIG, _BIG)], [(_BIG, _BIG, _BIG, 2)], [(10**9, 10**9, 10**9 - 1, 10**9), (1, 2, 2, 2)]])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
