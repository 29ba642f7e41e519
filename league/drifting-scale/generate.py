"""Inputs of drifting-scale: the number of barrels, the heavy one, the weight of a barrel, what is more, and the drift."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    barrels, heavy, weight, more, drift = map(int, value.removesuffix("\n").split(" "))
    if value != f"{barrels} {heavy} {weight} {more} {drift}\n":
        raise ValueError("format")
    if not (3 <= barrels <= 1000 and 1 <= heavy <= barrels):
        raise ValueError("barrel")
    if not (1 <= weight <= 1000 and 1 <= more <= 1000 and 0 <= drift <= 1000):
        raise ValueError("number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_103)
    for heavy in (1, 2, 3):
        yield f"3 {heavy} 5 1 {heavy - 1}\n"
    for barrels, heavy in ((4, 1), (4, 4), (5, 2), (8, 3), (17, 17), (64, 1), (100, 2)):
        yield f"{barrels} {heavy} {rng.randint(1, 9)} {rng.randint(1, 9)} {rng.randint(1, 9)}\n"
    yield "1000 1 1 1 1\n"
    yield "1000 2 1 1000 1000\n"
    yield "1000 1000 1000 1 1\n"
    for heavy in (3, 500, 501, 999):
        weight = rng.randint(1, 1000)
        yield f"1000 {heavy} {weight} {weight} {weight}\n"
    for _ in range(6):
        barrels = rng.randint(900, 1000)
        weight, more, drift = (rng.choice((1, 2, rng.randint(1, 1000))) for _ in range(3))
        yield f"{barrels} {rng.randint(1, barrels)} {weight} {more} {drift}\n"
    yield "777 400 3 2 0\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
