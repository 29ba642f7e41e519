"""Inputs of cipher-clerk: the factor, the addend and the modulus."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    factor, addend, modulus = map(int, value.removesuffix("\n").split(" "))
    if value != f"{factor} {addend} {modulus}\n":
        raise ValueError("format")
    if not (2 <= modulus <= 10**6 and 1 <= factor < modulus and 0 <= addend < modulus):
        raise ValueError("number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_602)
    top = 10**6
    cases = [(1, 0, 2), (1, 1, 2), (2, 2, 3), (1, 0, 3), (5, 3, 10), (9, 9, 10), (4, 0, 8), (16, 7, 48)]
    cases += [(1, 0, top), (1, top - 1, top), (top - 1, 0, top), (top - 1, top - 1, top), (top // 2, 1, top), (top // 2, top // 2, top)]
    cases += [(2, 1, 999_999), (999_981, 5, 999_983), (720_720, 720_719, 720_721), (3, 0, 3 * 333_333), (300_000, 0, 900_000)]
    for _ in range(9):
        modulus = rng.randint(top // 3, top)
        cases.append((rng.choice((rng.randint(1, 30), rng.randrange(1, modulus))), rng.randrange(modulus), modulus))
    for factor, addend, modulus in cases:
        yield f"{factor} {addend} {modulus}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
