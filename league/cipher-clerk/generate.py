"""Inputs of cipher-clerk: the factor, the addend, the modulus, the number of the wrong reply or 0, and what is added to it."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    factor, addend, modulus, slip, off = map(int, value.removesuffix("\n").split(" "))
    if value != f"{factor} {addend} {modulus} {slip} {off}\n":
        raise ValueError("format")
    if not (2 <= modulus <= 10**6 and 1 <= factor < modulus and 0 <= addend < modulus):
        raise ValueError("number")
    if not (0 <= slip <= 23 and 1 <= off < modulus):
        raise ValueError("slip")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_602)
    top = 10**6
    cases = [(5, 3, 10, 0, 1), (1, 0, 2, 0, 1), (1, 1, 2, 1, 1), (2, 2, 3, 3, 2), (9, 9, 10, 9, 5), (4, 0, 8, 2, 4), (16, 7, 48, 12, 16)]
    cases += [(1, 0, top, 0, 1), (1, 0, top, 5, 1), (1, 0, top, 3, 500_000), (1, 0, top, 19, 7), (1, 0, 999_999, 7, 8), (1, top - 1, top, 5, 1), (top - 1, 0, top, 7, top // 2), (top - 1, top - 1, top, 1, 1), (top // 2, 1, top, 4, top // 2)]
    cases += [(top // 2, top // 2, top, 14, top // 2), (2, 1, 999_999, 3, 333_333), (999_981, 5, 999_983, 23, 1), (3, 0, 3 * 333_333, 2, 3)]
    cases += [(720_720, 720_719, 720_721, 6, 360_000), (300_000, 0, 900_000, 8, 300_000)]
    for slip in (0, 1, 2, 3, 4, 10, 16, 20, 22, 0):
        modulus = rng.randint(top // 3, top)
        factor = rng.choice((rng.randint(1, 30), rng.randrange(1, modulus)))
        cases.append((factor, rng.randrange(modulus), modulus, slip, rng.randrange(1, modulus)))
    for case in cases:
        yield " ".join(map(str, case)) + "\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
