"""Inputs of kelp-prefix: equal strands, equally long answers, no answer, and many different root parts."""

import json
import random
import re
import sys
from collections.abc import Iterator
from typing import Any


def _lines(given: Any) -> list[str]:
    if not isinstance(given, str) or not given.endswith("\n"):
        raise ValueError("not a text that ends in a newline")
    return given[:-1].split("\n")


def _numbers(line: str, count: int) -> list[int]:
    """The whole numbers of a line, which must be written plainly and stand one blank apart."""
    numbers = [int(word) for word in line.split(" ")]
    if len(numbers) != count or " ".join(map(str, numbers)) != line:
        raise ValueError(f"not {count} plain numbers: {line[:80]!r}")
    return numbers


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    first, *words = _lines(given)
    n, k = _numbers(first, 2)
    if not 1 <= k <= n <= 20_000 or len(words) != n:
        raise ValueError("n or k")
    if not all(re.fullmatch("[a-z]{1,50}", word) for word in words):
        raise ValueError("a word")
    if sum(map(len, words)) > 100_000:
        raise ValueError("the letters of all words")


def _text(k: int, words: list[str]) -> str:
    return f"{len(words)} {k}\n" + "".join(f"{word}\n" for word in words)


def _random(rng: random.Random, size: int, k: int, letters: str, longest: int, shortest: int = 1) -> str:
    return _text(k, ["".join(rng.choices(letters, k=rng.randint(shortest, longest))) for _ in range(size)])


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_314)
    yield _text(2, ["reed", "reef", "real", "tide", "tidal"])
    yield _text(3, ["wrack", "wrack", "wrap", "write", "oar"])
    yield _text(2, ["oar", "bow", "keel"])
    yield _text(1, ["a"])
    yield _text(1, ["mast", "hull", "bow", "deck"])
    yield _text(3, ["sail", "sail", "sail"])
    yield _text(2, ["sail", "sails", "sailor"])
    yield _text(3, ["b", "b", "b", "a", "a", "a"])
    yield _text(2, ["zeta", "zest", "bold", "bole", "mint", "mink"])
    yield _text(2, ["zz", "zz", "yy", "yy", "yz"])
    yield _text(4, ["ab", "abc", "abcd", "abd", "x", "xy", "xyz", "xyzw", "xyw"])
    for size, k in ((5, 2), (6, 3), (8, 3), (10, 4), (12, 2), (14, 5)):
        yield _random(rng, size, k, "ab", 4)
    yield _random(rng, 60, 3, "abc", 8)
    yield _random(rng, 300, 10, "qrs", 12)
    yield _random(rng, 1_500, 2, "abcdefghijklmnopqrstuvwxyz", 9)
    yield _random(rng, 2_000, 7, "no", 50, 49)
    yield _text(1_001, ["m" * 50] * 1_000 + ["m" * 49 + "k"] + ["z"] * 1_000)
    yield _random(rng, 20_000, 20_000, "abcd", 2)
    yield _random(rng, 9_000, 120, "abcdef", 5, 5)


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
