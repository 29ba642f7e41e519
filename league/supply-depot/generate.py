"""Inputs of supply-depot: equal islands, islands without need, long lines that heavy islands outweigh, deep and wide trees."""

import json
import random
from collections.abc import Callable, Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    count = int(lines[0])
    if not 1 <= count <= 8_000 or len(lines) != count + 2 or lines[-1]:
        raise ValueError("the number of islands")
    needs = [int(each) for each in lines[1].split(" ")]
    if len(needs) != count or not all(0 <= need <= 1000 for need in needs):
        raise ValueError("the crates")
    top = list(range(count + 1))
    for line in lines[2:-1]:
        here, there, length = (int(each) for each in line.split(" "))
        if not (1 <= here <= count and 1 <= there <= count and 1 <= length <= 1000):
            raise ValueError("a ferry line")
        while top[here] != here:
            top[here] = here = top[top[here]]
        while top[there] != there:
            top[there] = there = top[top[there]]
        if here == there:
            raise ValueError("a ring of ferry lines")
        top[here] = there


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_411)

    def text(needs: list[int], lines: list[tuple[int, int, int]]) -> str:
        body = "".join(f"{here} {there} {length}\n" for here, there, length in lines)
        return f"{len(needs)}\n{' '.join(map(str, needs))}\n{body}"

    def tree(count: int, most: int, longest: int, parent: Callable[[int], int]) -> str:
        """Island `i` hangs on `parent(i)`, both counted from 0; then all are renamed and mixed."""
        names = rng.sample(range(1, count + 1), count)
        lines = []
        for island in range(1, count):
            ends = [names[island], names[parent(island)]]
            rng.shuffle(ends)
            lines.append((ends[0], ends[1], rng.randint(1, longest)))
        rng.shuffle(lines)
        return text([rng.randint(0, most) for _ in range(count)], lines)

    def anywhere(island: int) -> int:
        return rng.randrange(island)

    def line(island: int) -> int:
        return island - 1

    yield text([1, 4, 2, 1], [(1, 2, 3), (2, 3, 10), (3, 4, 1)])
    yield text([5, 5], [(2, 1, 7)])
    yield text([0, 0, 0], [(1, 2, 1), (2, 3, 1)])
    yield text([9], [])
    yield text([0], [])
    yield text([0, 3], [(1, 2, 1000)])
    yield text([2, 0, 0, 2], [(4, 2, 1), (2, 3, 5), (3, 1, 1)])
    yield text([1, 1, 1, 1, 1], [(5, 1, 1000), (5, 2, 1), (5, 3, 1), (5, 4, 1)])
    yield text([1000, 1, 1, 1], [(1, 2, 1000), (2, 3, 1), (2, 4, 1)])
    # The best island needs nothing itself.
    yield text([2, 3, 0, 2, 1], [(3, 1, 4), (2, 3, 1), (3, 4, 6), (4, 5, 2)])
    for count in (3, 4, 5, 6, 8, 11):
        yield tree(count, 3, 4, anywhere)
    yield tree(60, 1, 9, line)
    yield tree(200, 1000, 1000, anywhere)
    yield tree(800, 2, 30, lambda island: rng.randrange(max(0, island - 3), island))
    yield tree(800, 1000, 1000, lambda _: 0)
    yield tree(2_000, 900, 1000, line)
    yield tree(8_000, 9, 99, lambda island: rng.randrange(max(0, island - 50), island))


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
