"""Inputs of crane-script: each turn of a block, blocks that drift, blocks within blocks, blocks without a way, and far ways."""

import json
import random
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not given.endswith("\n"):
        raise ValueError("no end of line")
    words = given[:-1].split(" ")
    if not 1 <= len(words) <= 1_000:
        raise ValueError("the number of words")
    times, far = [1], 0
    for word in words:
        if re.fullmatch(r"F[1-9][0-9]{0,9}", word):
            far += times[-1] * int(word[1:])
            if int(word[1:]) > 10**9:
                raise ValueError("a far way")
        elif re.fullmatch(r"[1-9][0-9]{0,9}\[", word):
            if int(word[:-1]) > 10**9 or len(times) > 30:
                raise ValueError("a block")
            times.append(times[-1] * int(word[:-1]))
        elif word == "]" and len(times) > 1:
            times.pop()
        elif word not in ("L", "R"):
            raise ValueError("a word")
    if len(times) != 1 or far > 10**18:
        raise ValueError("an open block, or too far")


def _block(rng: random.Random, words: int, depth: int, far: int, step: int, most: int) -> list[str]:
    """At most so many words that go at most `far` squares."""
    made: list[str] = []
    while len(made) < words:
        kind = rng.random()
        if kind < 0.4 and far > 0:
            way = rng.randint(1, min(step, far))
            far -= way
            made.append(f"F{way}")
        elif kind < 0.75 or depth == 0 or words - len(made) < 4:
            made.append(rng.choice("LR"))
        else:
            share = rng.randint(0, far)
            times = rng.randint(1, min(most, max(1, share)))
            inner = _block(rng, rng.randint(0, (words - len(made) - 2) * 3 // 4), depth - 1, share // times, step, most)
            far -= share
            made += [f"{times}[", *inner, "]"]
    return made


def _small(rng: random.Random) -> str:
    return " ".join(_block(rng, rng.randint(1, 14), 3, 2_000, 4, rng.choice((3, 6)))) + "\n"


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_113)
    yield "F2 R F3 R F4\n"
    yield "3[ F2 R F1 L ] L F1\n"
    yield "5[ 2[ F3 R ] F1 L ]\n"
    yield "L\n"
    yield "1000000000[ ]\n"
    yield "1000000000[ 1000000000[ 999999999[ L ] ] R ]\n"
    yield "3[ F4 R ]\n"
    yield "2[ F4 L F1 ]\n"
    yield "7[ F4 L L F1 ]\n"
    yield "1[ F1 ]\n"
    yield "2[ L F5 R R F9 L ] 3[ R F1 L ]\n"
    for size in (9, 12, 15, 20, 25):
        yield " ".join(_block(rng, size, 3, 5_000, 5, 6)) + "\n"
    yield " ".join(_block(rng, 60, 5, 20_000, 9, 8)) + "\n"
    yield "1000000000[ F1000000000 ]\n"
    yield "1000000000[ R F500000000 R F1 R F499999999 R ] L\n"
    yield "999999998[ F999999999 R F1 ] 3[ F7 R ]\n"
    yield "100000[ 100000[ L F3 R F2 R F3 L F1 ] R F1000000 L 1000[ F1 L ] ]\n"
    for size, depth in ((200, 6), (500, 12), (1_000, 30), (1_000, 8)):
        yield " ".join(_block(rng, size, depth, 10**18, 10**9, 10**6)[: 10**4]) + "\n"
    yield "9[ " * 18 + "F1 R F2 L " + "] " * 17 + "]\n"
    yield "2[ " * 30 + "F1 L F2 R F1 " + "] R " * 29 + "]\n"
    yield "3[ " * 30 + "F1 " + "] L " * 29 + "]\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
