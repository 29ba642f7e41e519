"""Inputs of island-lights: arcs on small and large rings, with gaps, with full circles, and with chains of many arcs."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    lines = [[int(word) for word in line.split(" ")] for line in value.removesuffix("\n").split("\n")]
    if value != "".join(" ".join(map(str, line)) + "\n" for line in lines) or any(len(line) != 2 for line in lines):
        raise ValueError("format")
    (sections, lights), arcs = lines[0], lines[1:]
    if not (1 <= sections <= 10**9 and 1 <= lights == len(arcs) <= 8000):
        raise ValueError("size")
    if not all(0 <= start < sections and 1 <= count <= sections for start, count in arcs):
        raise ValueError("arc")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_501)

    def make(sections: int, arcs: list[tuple[int, int]]) -> str:
        return "".join(f"{a} {b}\n" for a, b in [(sections, len(arcs)), *arcs])

    def some(sections: int, lights: int, most: int) -> str:
        return make(sections, [(rng.randrange(sections), rng.randint(1, most)) for _ in range(lights)])

    def chain(sections: int, step: int, count: int, shuffled: bool = True) -> str:
        """Arcs one step apart, all round."""
        arcs = [(start, count) for start in range(0, sections, step)]
        if shuffled:
            rng.shuffle(arcs)
        return make(sections, arcs)

    yield make(10, [(0, 4), (2, 5), (3, 3), (6, 5), (8, 4)])
    yield make(6, [(0, 2), (3, 3)])
    yield make(5, [(4, 3), (1, 5), (2, 2)])
    yield make(1, [(0, 1), (0, 1), (0, 1)])
    yield make(4, [(0, 1), (1, 1), (2, 1), (3, 1)])
    yield make(4, [(0, 3), (1, 3), (2, 3), (3, 3)])
    yield make(7, [(6, 6)])
    yield make(6, [(0, 3), (2, 3), (4, 3), (1, 3), (3, 3), (5, 3)])
    yield make(12, [(0, 5), (4, 4), (7, 4), (10, 9), (6, 3)])
    yield make(9, [(0, 2), (1, 3), (3, 3), (5, 3), (7, 8)])
    yield make(100, [(0, 60), (50, 60), (90, 30), (55, 20)])
    yield make(10, [(0, 4), (1, 6), (6, 7)])
    yield make(100, [(0, 40), (20, 30), (45, 30), (74, 59)])
    yield make(100, [(2, 3), (4, 3), (6, 3), (8, 52), (59, 50)])
    # The longest light is unnecessary once the last one is on.
    yield make(11, [(2, 5), (0, 1), (6, 5), (0, 2), (3, 6)])
    yield make(1000, [(500, 310), (300, 300), (0, 300), (200, 200), (700, 260), (930, 280)])
    for sections, lights, most in ((5, 5, 3), (8, 6, 4), (12, 9, 5), (30, 25, 8), (60, 60, 9)):
        yield some(sections, lights, most)
    yield some(10**9, 300, 10**8)
    yield some(10**8, 900, 10**6)
    yield some(10**9, 300, 9 * 10**8)
    yield chain(2000, 1, 7)
    yield chain(10**9, 1_000_000, 1_999_999)
    yield make(10**9, [(place * 2_000_000, 2_000_000) for place in range(499)] + [(998_000_000, 1_999_999)])
    small = [(300_000_000 + place * 500_000, 700_000) for place in range(1300)]
    longest_off = [(0, 250_000_000), (170_000_000, 140_000_000), *small, (949_000_000, 240_000_000)]
    yield make(10**9, rng.sample(longest_off, len(longest_off)))
    yield chain(60_000, 20, 31, shuffled=False)
    yield chain(80_000, 10, 11, shuffled=False)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
