"""Inputs of call-and-answer: odd lengths, equal letters, several k, exchanges that greed cuts wrongly, and long ones."""

import json
import random
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not re.fullmatch("[1-9][0-9]{0,2}\n[a-z]{1,300}\n", given) or int(given.split()[0]) != len(given.split()[1]):
        raise ValueError("not a length and a string of 1 to 300 letters")


def _move(text: str, k: int) -> str:
    return "".join(chr((ord(letter) - 97 + k) % 26 + 97) for letter in text)


def _traffic(rng: random.Random, size: int, k: int, longest: int, letters: str = "abcdefghijklmnopqrstuvwxyz") -> str:
    text = ""
    while len(text) < size:
        call = "".join(rng.choice(letters) for _ in range(min(rng.randint(1, longest), (size - len(text) + 1) // 2)))
        text += call + _move(call, k)
    return text


def _little(rng: random.Random) -> str:
    size, kind = rng.randint(1, 14), rng.random()
    if kind < 0.3:
        return "".join(rng.choice("ab") for _ in range(size)) + "\n"
    return _traffic(rng, size, rng.choice((0, 1, 25, 13)), 4, rng.choice(("ab", "abz", "abcd"))) + "\n"


def _small(rng: random.Random) -> str:
    text = _little(rng)
    return f"{len(text) - 1}\n{text}"


def _strings() -> Iterator[str]:
    """The strings of all inputs, in order."""
    rng = random.Random(31_112)
    for text in ("zxbzabcdyzab", "abopcpqd", "abc", "xylmzmna" * 5, "abopcpqd" * 37, "a", "aabbaaabbabb", "az", "za", "abab", "aabb", "abcabc", "abacbdab"):
        yield text + "\n"
    yield "anna" + "noon" + "\n"
    for _ in range(5):
        yield _traffic(rng, rng.randint(10, 18), rng.choice((0, 1, 25)), 4, rng.choice(("ab", "abz"))) + "\n"
    yield _traffic(rng, 40, 3, 5) + "\n"
    yield _traffic(rng, 60, 13, 8) + "\n"
    yield "a" * 300 + "\n"
    yield "a" * 299 + "\n"
    yield "ab" * 150 + "\n"
    yield "".join(chr(97 + at % 26) for at in range(300)) + "\n"
    yield "".join(chr(97 + at * 7 % 26) for at in range(300)) + "\n"
    yield _traffic(rng, 300, 25, 12) + "\n"
    yield _traffic(rng, 300, 0, 30, "ab") + "\n"
    yield _traffic(rng, 300, 1, 3, "abc") + "\n"
    yield _traffic(rng, 150, 1, 6, "ab") + _move(_traffic(rng, 150, 1, 6, "ab"), 5) + "\n"
    yield "a" * 149 + "b" + "a" * 149 + "b\n"
    yield _traffic(rng, 298, 4, 9) + "xy\n"


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    for text in _strings():
        yield f"{len(text) - 1}\n{text}"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
