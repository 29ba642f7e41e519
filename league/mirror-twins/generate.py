"""Inputs of mirror-twins: corals of every small shape, combs, stars, full ones, and ones made of mirrored copies."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    parents, kinds = value
    if not (type(parents) is list and 1 <= len(parents) <= 50_000 and parents[0] == -1):
        raise ValueError("size")
    if not all(type(parent) is int and 0 <= parent < polyp for polyp, parent in enumerate(parents[1:], 1)):
        raise ValueError("parent")
    if not (type(kinds) is str and len(kinds) == len(parents) and re.fullmatch("[a-z]+", kinds)):
        raise ValueError("kinds")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_402)

    def flat(tree: Any) -> list[Any]:
        """The arguments for nested lists [kind, child, child, ...], numbered level by level."""
        parents, kinds, level = [-1], tree[0], [(0, tree)]
        while level:
            after = []
            for number, (_, *children) in level:
                for child in children:
                    after.append((len(parents), child))
                    parents.append(number)
                    kinds += child[0]
            level = after
        return [parents, kinds]

    def mirror(tree: Any) -> Any:
        return [tree[0], *(mirror(child) for child in reversed(tree[1:]))]

    def grow(size: int, letters: str) -> Any:
        """A tree of `size` polyps."""
        children, left = [], size - 1
        while left:
            part = rng.randint(1, left)
            children.append(grow(part, letters))
            left -= part
        return [rng.choice(letters), *children]

    def some(count: int, letters: str, reach: int) -> list[Any]:
        parents = [-1] + [rng.randint(max(0, polyp - reach), polyp - 1) for polyp in range(1, count)]
        return [parents, "".join(rng.choice(letters) for _ in range(count))]

    yield [[-1, 0, 0, 1, 1, 2, 2], "abbcddc"]
    yield [[-1, 0, 0, 0], "aaab"]
    yield [[-1, 0, 0, 1, 2, 2], "xyyzzz"]
    yield [[-1], "q"]
    yield [[-1, 0], "aa"]
    yield [[-1, 0, 1, 2, 3], "aaaaa"]
    yield flat(["r", ["a", ["b"], ["c", ["d"]]], ["a", ["c", ["d"]], ["b"]], ["a", ["b"], ["c", ["d"]]]])
    yield flat(["r", ["a", ["b"], ["b"], ["c"]], ["a", ["c"], ["b"], ["b"]], ["a", ["b"], ["c"], ["b"]]])
    yield flat(["r", ["a", ["a", ["a"]], ["a"]], ["a", ["a"], ["a", ["a"]]], ["a", ["a"], ["a", ["a"]]]])
    yield flat(["r", ["a", ["b", ["c"]], ["b"]], ["a", ["b"], ["b", ["c"]]]])
    for count, letters, reach in ((7, "a", 3), (10, "ab", 4), (15, "a", 15), (30, "ab", 5), (80, "a", 20), (200, "abc", 9)):
        yield some(count, letters, reach)
    part = grow(150, "ab")
    yield flat(["r", part, mirror(part), part, ["a", mirror(part), part], ["a", part, mirror(part)]])
    parts = [grow(rng.randint(5, 9), "ab") for _ in range(60)]
    yield flat(["r", *(rng.choice((part, mirror(part))) for part in rng.choices(parts, k=300))])
    yield some(3000, "abcdefgh", 40)
    yield [[-1, *([0] * 19_999)], "a" * 20_000]
    yield [[-1, *range(49_999)], "ab" * 25_000]
    yield [[-1, *((polyp - 1) // 2 for polyp in range(1, 8000))], "a" * 8000]
    yield [[-1, *(max(0, polyp - 2) for polyp in range(1, 8000))], "ab" * 4000]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
