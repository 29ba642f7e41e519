"""Inputs of lantern-order: ties at every step of the order, brightnesses of different lengths, and one long quay."""

import json
import random
import re
import sys
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

_LANTERN = re.compile(r"[a-z]{1,8} (white|green|red) [1-9][0-9]{0,9}")


def _lines(given: Any) -> list[str]:
    if not isinstance(given, str) or not given.endswith("\n"):
        raise ValueError("not a text that ends in a newline")
    return given[:-1].split("\n")


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    first, *lanterns = _lines(given)
    if not re.fullmatch("[1-9][0-9]{0,4}", first) or int(first) > 20_000 or len(lanterns) != int(first):
        raise ValueError("the number of lanterns")
    for line in lanterns:
        if not _LANTERN.fullmatch(line) or int(line.split(" ")[2]) > 10**9:
            raise ValueError(f"lantern {line[:80]!r}")


def _text(lanterns: list[tuple[str, str, int]]) -> str:
    return f"{len(lanterns)}\n" + "".join(f"{name} {colour} {light}\n" for name, colour, light in lanterns)


def _random(rng: random.Random, size: int, letters: str, longest: int, brightest: int) -> str:
    def name() -> str:
        return "".join(rng.choices(letters, k=rng.randint(1, longest)))

    colours = ("white", "green", "red")
    return _text([(name(), rng.choice(colours), rng.randint(1, brightest)) for _ in range(size)])


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_312)
    yield _text([("ash", "red", 70), ("fern", "white", 9), ("dune", "white", 12), ("moss", "green", 12)])
    yield _text([("pearl", "green", 5), ("kelp", "green", 5), ("cove", "green", 5), ("bay", "green", 40)])
    yield _text([("a", "red", 1), ("a", "white", 1), ("a", "red", 1)])
    yield _text([("solo", "green", 1_000_000_000)])
    yield _text([("b", "red", 1), ("aa", "red", 1), ("a", "red", 1), ("ab", "red", 1), ("aaa", "red", 1)])
    yield _text([("low", "white", 99), ("mid", "white", 100), ("top", "white", 1_000), ("dim", "white", 8)])
    yield _text([("z" * 8, "red", 10**9), ("a" * 8, "red", 10**9), ("z", "red", 10**9 - 1), ("y", "red", 1)])
    every = [
        (name, colour, light) for name, colour, light in product(("a", "b", "ab"), ("red", "green", "white"), (9, 10))
    ]
    yield _text(every)
    yield _text(every[::-1])
    for order in list(permutations((("n", "green", 2), ("m", "white", 2), ("k", "red", 30), ("l", "red", 4))))[3::7]:
        yield _text(list(order))
    for size in (5, 8, 12, 20):
        yield _random(rng, size, "ab", 3, 3)
    for size in (30, 100, 400):
        yield _random(rng, size, "abc", 4, 12)
    yield _random(rng, 800, "abcdefghijklmnopqrstuvwxyz", 8, 10**9)
    yield _random(rng, 1_500, "xyz", 8, 2)
    yield _text([("ab"[index % 2] * (1 + index % 8), "white", 1 + index // 3) for index in range(3_000)])
    yield _random(rng, 14_000, "ab", 3, 30)


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
