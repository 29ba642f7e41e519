"""Inputs of wagon-hooks: trains of every small mixture of wagons, and long ones."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    hook, count, *wagons = value.removesuffix("\n").replace(" ", "\n").split("\n")
    if value != f"{hook} {int(count)}\n" + "".join(f"{wagon}\n" for wagon in wagons):
        raise ValueError("format")
    if hook not in ("A", "B") or not 1 <= int(count) == len(wagons) <= 3000:
        raise ValueError("size")
    if not set(wagons) <= {"AA", "AB", "BA", "BB"}:
        raise ValueError("wagon")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_701)

    def make(hook: str, wagons: list[str]) -> str:
        return "".join(f"{line}\n" for line in [f"{hook} {len(wagons)}", *wagons])

    def some(hook: str, aa: int, ab: int, ba: int, bb: int) -> str:
        wagons = ["AA"] * aa + ["AB"] * ab + ["BA"] * ba + ["BB"] * bb
        rng.shuffle(wagons)
        return make(hook, wagons)

    yield make("A", ["AA", "AB", "BB"])
    yield make("B", ["BA", "AB", "AB"])
    yield make("B", ["BB", "AA", "BB"])
    yield make("A", ["AA"])
    yield make("B", ["AA"])
    yield make("A", ["AB"])
    yield make("B", ["AB"])
    yield make("A", ["AB", "BA"])
    yield make("A", ["AA", "BB"])
    yield make("B", ["AA", "BB"])
    yield make("A", ["AB", "BA", "BB"])
    yield make("B", ["AB", "BA", "BB"])
    for _ in range(8):
        aa = rng.randint(0, 3)
        yield some(rng.choice("AB"), aa, rng.randint(0, 3), rng.randint(0, 3), max(aa + rng.choice((-1, 0, 0, 1)), aa == 0))
    yield some("A", 0, 700, 2300, 0)
    yield some("B", 0, 1500, 1500, 0)
    yield some("A", 700, 800, 800, 700)
    yield some("B", 500, 10, 1900, 499)
    yield some("A", 500, 10, 1900, 499)
    yield some("B", 2, 1400, 1500, 0)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
