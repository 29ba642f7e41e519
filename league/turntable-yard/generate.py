"""Inputs of turntable-yard: too short tracks, the right letters at the wrong places, alike wagons, and the most turns."""

import json
import random
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not re.fullmatch("[a-z]{1,100}\n[a-z]{1,100}\n", given):
        raise ValueError("the spelling")
    here, wanted = given.split()
    if len(here) != len(wanted):
        raise ValueError("the lengths")


def _pair(rng: random.Random, n: int, letters: str, turns: int = -1) -> str:
    """Letters, and the same after as many turns; without a number, each of the two rows of places is shuffled."""
    here = [rng.choice(letters) for _ in range(n)]
    wanted = here[:]
    if turns < 0:
        for first in (0, 1):
            row = wanted[first::2]
            rng.shuffle(row)
            wanted[first::2] = row
    elif n > 2:
        for _ in range(turns):
            at = rng.randrange(n - 2)
            wanted[at], wanted[at + 2] = wanted[at + 2], wanted[at]
    return f"{''.join(here)}\n{''.join(wanted)}\n"


def _small(rng: random.Random) -> str:
    letters = rng.choice(("ab", "abc", "abcdef"))
    if rng.random() < 0.15:
        n = rng.randint(1, 5)
        return "".join(rng.choice(letters) for _ in range(n)) + "\n" + "".join(rng.choice(letters) for _ in range(n)) + "\n"
    return _pair(rng, rng.randint(1, 6), letters)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_110)
    yield "abcd\ncdab\n"
    yield "abc\nbac\n"
    yield "aabb\naabb\n"
    yield "a\na\n"
    yield "a\nb\n"
    yield "ab\nba\n"
    yield "abab\nbaba\n"
    yield "abcba\ncbabc\n"
    yield "abcde\nebcda\n"
    yield "xyxyx\nyyxxx\n"
    yield "aabbccdd\nddccbbaa\n"
    for n in (3, 5, 6, 7):
        yield _pair(rng, n, "abc")
    yield _pair(rng, 12, "abcdef")
    yield _pair(rng, 13, "ab")
    yield _pair(rng, 20, "abcdefghijklmnopqrstuvwxyz", 12)
    yield _pair(rng, 100, "abcdefghijklmnopqrstuvwxyz")
    yield _pair(rng, 99, "ab")
    yield _pair(rng, 100, "abcz", 400)
    yield "a" * 50 + "b" * 50 + "\n" + "b" * 50 + "a" * 50 + "\n"
    yield "a" * 50 + "b" * 49 + "\n" + "b" * 49 + "a" * 50 + "\n"
    here, wanted = _pair(rng, 100, "qwertyuiop").split()
    yield f"{here}\n{wanted[1]}{wanted[0]}{wanted[2:]}\n"
    yield "abcdefghijklmnopqrstuvwxy\nyxwvutsrqponmlkjihgfedcba\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
