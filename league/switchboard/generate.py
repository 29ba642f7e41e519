"""Inputs of switchboard: nothing to do, switches without lamps, proofs of few and of many lamps, and the largest boards."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) < 4 or lines[-1] or set(lines[1]) - {"0", "1"}:
        raise ValueError("the lines")
    n, m = (int(word) for word in lines[0].split(" "))
    if lines[0] != f"{n} {m}" or not (1 <= n <= 300 and 1 <= m <= 300) or len(lines) != m + 3 or len(lines[1]) != n:
        raise ValueError("the size")
    wires = 0
    for line in lines[2:-1]:
        c, *lamps = (int(word) for word in line.split(" "))
        if line != " ".join(map(str, (c, *lamps))) or len(lamps) != c or len(set(lamps)) != c:
            raise ValueError("a switch")
        if not all(1 <= lamp <= n for lamp in lamps):
            raise ValueError("a lamp")
        wires += c
    if wires > 12_000:
        raise ValueError("too many wires")


def _text(wanted: str, switches: list[list[int]]) -> str:
    rows = "".join(" ".join(map(str, (len(lamps), *lamps))) + "\n" for lamps in switches)
    return f"{len(wanted)} {len(switches)}\n{wanted}\n{rows}"


def _random(rng: random.Random, n: int, m: int, wires: int, can: bool) -> str:
    switches = [sorted(rng.sample(range(1, n + 1), min(n, rng.randint(0, wires)))) for _ in range(m)]
    if not can:
        return _text("".join(rng.choice("01") for _ in range(n)), switches)
    change = [0] * (n + 1)
    for lamps in switches:
        if rng.random() < 0.5:
            for lamp in lamps:
                change[lamp] ^= 1
    return _text("".join(map(str, change[1:])), switches)


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 6), rng.randint(1, 6), 4, rng.random() < 0.4)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_129)
    yield _text("101", [[1, 2], [2, 3], [3]])
    yield _text("100", [[1, 2], [2, 3], [1, 3]])
    yield _text("00", [[1]])
    yield _text("1", [[]])
    yield _text("0", [[]])
    yield _text("1", [[1], [1]])
    yield _text("0110", [[1, 2, 3, 4], [1, 4], [2, 3, 4], [4]])
    yield _text("1111", [[1, 2], [1, 2], [3, 4], [1, 2, 3, 4]])
    yield _text("1011", [[1, 2], [2, 3], [3, 4], [4, 1]])
    for _ in range(6):
        yield _small(rng)
    yield _random(rng, 20, 18, 6, True)
    yield _random(rng, 20, 18, 6, False)
    yield _random(rng, 60, 80, 5, False)
    ring = [[at, at % 300 + 1] for at in range(1, 301)]
    yield _text("1" * 299 + "0", ring)
    yield _text(("10" * 150), ring)
    yield _text("0" * 149 + "1" + "0" * 149 + "1", ring)
    wide = [[at + step for step in range(40) if at + step <= 300] for at in range(1, 301)]
    yield _text("01" * 150, wide)
    yield _random(rng, 300, 299, 14, True)
    yield _random(rng, 300, 300, 9, False)
    yield _random(rng, 299, 300, 9, False)
    yield _random(rng, 300, 60, 30, True)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
