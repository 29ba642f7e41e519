"""Inputs of sounding-line: the number of marks, the deepest one, how steep it is on either side, and the greatest depth."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    marks, deepest, rise, fall, top = (int(each) for each in given.removesuffix("\n").split(" "))
    if given != f"{marks} {deepest} {rise} {fall} {top}\n":
        raise ValueError("the spelling")
    if not 1 <= deepest <= marks <= 100_000 or rise < 1 or fall < 1 or top > 10**9:
        raise ValueError("a number")
    if top - rise * deepest < 1 or top - fall * (marks - deepest + 1) < 1:
        raise ValueError("it falls dry")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(20_428)
    cases = [(1, 1), (2, 1), (2, 2), (3, 2), (4, 3), (7, 2), (10, 10), (64, 33)]
    cases += [(rng.randint(50, 2000), 0) for _ in range(2)]
    cases += [(100_000, place) for place in (1, 2, 49_999, 50_000, 65_536, 99_999, 100_000)]
    cases += [(rng.randint(90_000, 100_000), 0) for _ in range(3)]
    for marks, place in cases:
        rise, fall = (rng.choice((1, 2, rng.randint(3, 40), rng.randint(1000, 9000))) for _ in range(2))
        deepest = place or rng.randint(1, marks)
        least = max(rise * deepest, fall * (marks - deepest + 1)) + 1
        yield f"{marks} {deepest} {rise} {fall} {rng.randint(least, 10**9)}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
