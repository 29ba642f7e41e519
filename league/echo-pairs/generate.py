"""Inputs of echo-pairs: rotations, reversals and anagrams of few words, every gap, and one long recording."""

import json
import random
import re
import sys
from collections.abc import Iterator
from itertools import permutations
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    if not isinstance(given, list) or len(given) != 2 or not isinstance(given[0], list):
        raise ValueError("not pulses and gap")
    pulses, gap = given
    if not 1 <= len(pulses) <= 20_000:
        raise ValueError("the length of pulses")
    if not all(isinstance(pulse, str) and re.fullmatch("[a-z]{1,8}", pulse) for pulse in pulses):
        raise ValueError("a pulse")
    if not (type(gap) is int and 1 <= gap <= 20_000):
        raise ValueError("the gap")


def _words(rng: random.Random, size: int, letters: str, longest: int) -> list[str]:
    return ["".join(rng.choices(letters, k=rng.randint(1, longest))) for _ in range(size)]


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_316)
    yield [["abcd", "dabc", "dcba", "cdab", "abcd"], 2]
    yield [["ping", "ngpi", "gnip", "ping"], 1]
    yield [["aa", "a", "aaa", "aa"], 3]
    yield [["a"], 1]
    yield [["a", "a"], 2]
    yield [["a", "a", "a", "a"], 20_000]
    yield [["abab", "baba", "aabb", "abba", "abab"], 1]
    yield [["".join(word) for word in permutations("abc")], 1]
    yield [["".join(word) for word in permutations("abcd")], 5]
    yield [["abcabcab", "bcabcaba", "abcabcba", "cabcabab", "aabcabcb"], 1]
    for size, gap in ((6, 1), (8, 2), (10, 4), (12, 3), (15, 14)):
        yield [_words(rng, size, "ab", 3), gap]
    yield [_words(rng, 100, "abc", 3), 7]
    yield [_words(rng, 400, "abcd", 4), 100]
    yield [_words(rng, 1_000, "xy", 8), 1]
    yield [_words(rng, 2_000, "abcdefghijklmnopqrstuvwxyz", 8), 1]
    yield [["tide"] * 3_000, 1_500]
    yield [["tide", "edit"] * 1_500, 2]
    yield [["aaaaaaab"] * 20_000, 1]
    yield [_words(rng, 20_000, "ab", 5), 9_999]
    yield [_words(rng, 18_000, "abcd", 3), 3]


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
