"""Inputs of lobster-pots: all small yards, none and all full, few, many, stripes, and pots full or empty by chance."""

import json
import random
from collections.abc import Iterator

_SIZES = {1: 1, 3: 2, 8: 4, 20: 8, 256: 64}


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    first, pots, end = given.split("\n")
    n, w = (int(word) for word in first.split(" "))
    if end or first != f"{n} {w}" or _SIZES.get(n) != w:
        raise ValueError("the numbers")
    if len(pots) != n or set(pots) - set("01"):
        raise ValueError("the pots")


def _text(pots: str) -> str:
    return f"{len(pots)} {_SIZES[len(pots)]}\n{pots}\n"


def _some(rng: random.Random, n: int, share: float) -> str:
    return "".join("1" if rng.random() < share else "0" for _ in range(n))


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(10_203)
    for pots in ("0", "1", "011", "101", "110", "11010010", "01101101", "1" * 20, "10110011100101101001"):
        yield _text(pots)
    yield _text(_some(rng, 20, 0.5))
    yield _text("0" * 256)
    yield _text("1" * 256)
    yield _text("01" * 128)
    yield _text("0" * 128 + "1" * 128)
    yield _text("1" + "0" * 255)
    for share in (0.02, 0.1, 0.3, 0.5, 0.5, 0.5, 0.5, 0.7, 0.95):
        yield _text(_some(rng, 256, share))


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
