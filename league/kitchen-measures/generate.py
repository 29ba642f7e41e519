"""Inputs of kitchen-measures: amounts in all units and ways of writing, scaled up, down and not at all."""

import json
import random
import re
from collections.abc import Iterator
from math import gcd
from typing import Any

PART = re.compile(r"(?:([1-9][0-9]*)|([1-9][0-9]*)/([1-9][0-9]*)|([1-9][0-9]*) ([1-9][0-9]*)/([1-9][0-9]*)) (cup|tbsp|tsp)")


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    amounts, numerator, denominator = value
    if not (type(amounts) is list and 1 <= len(amounts) <= 100):
        raise ValueError("size")
    if not all(type(each) is int and 1 <= each <= 1000 for each in (numerator, denominator)):
        raise ValueError("scale")
    for amount in amounts:
        parts = amount.split(" + ")
        if len(parts) > 3:
            raise ValueError("parts")
        for part in parts:
            match = PART.fullmatch(part)
            if not match or any(len(each) > 3 for each in match.groups("")[:6]):
                raise ValueError("part")
            if not all(1 <= int(b) <= 64 and int(a) < int(b) for a, b in (match.group(2, 3), match.group(5, 6)) if a):
                raise ValueError("fraction")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_403)

    def part(most: int, lower: int) -> str:
        whole, below = rng.randint(0, most), rng.choice((1, lower))
        text = str(whole) * (whole > 0)
        if below > 1:
            text = f"{text} {rng.randint(1, below - 1)}/{below}".strip()
        return f"{text or 1} {rng.choice(('cup', 'tbsp', 'tsp'))}"

    def some(count: int, most: int, lower: int, numerator: int, denominator: int) -> list[Any]:
        amounts = [" + ".join(part(most, rng.randint(2, lower)) for _ in range(rng.randint(1, 3))) for _ in range(count)]
        return [amounts, numerator, denominator]

    yield [["1 1/2 cup", "2 tbsp + 2 tsp", "3/4 tsp"], 2, 1]
    yield [["1 cup", "1 tbsp", "1/2 tbsp", "7 tsp"], 1, 3]
    yield [["16 tbsp + 48 tsp + 1 cup", "2/4 tsp"], 1, 1]
    yield [["1 tsp"], 1, 1000]
    yield [["999 cup"], 1000, 1]
    yield [["15 tbsp + 3 tsp"], 1, 1]
    yield [["1/3 cup", "2/3 cup", "1/6 cup", "1/16 cup", "1/48 cup"], 1, 1]
    yield [["1/3 tsp + 2/3 tsp", "1/2 tbsp + 1 1/2 tsp", "63/64 cup + 1/64 cup"], 1, 1]
    yield [["1 cup", "1 tbsp", "1 tsp"], 1000, 1000]
    yield [["3 cup", "3 tbsp", "3 tsp"], 7, 48]
    yield [["1 cup", "48 tsp", "16 tbsp"], 1, 48]
    yield [["1 cup"], 1, 49]
    yield [["4 2/8 tsp", "3/9 tbsp"], 6, 4]
    # Fractions of a teaspoon with large denominators, some of them next to a whole number.
    yield [["1/64 tsp + 1/63 tsp + 1/61 cup", "998 62/63 cup + 1/64 tsp + 60/61 tbsp", "31/32 tsp + 30/31 tsp"], 997, 1000]
    yield [["20/61 tsp + 41/62 tsp", "31/63 tbsp + 32/63 tbsp", "999 58/59 cup + 60/61 cup + 1/53 tsp"], 1, 1]
    for count, most, lower in ((5, 3, 4), (10, 9, 8), (20, 20, 12), (50, 99, 16), (100, 999, 64)):
        numerator = rng.randint(1, 12)
        yield some(count, most, lower, numerator, rng.randint(1, 12))
        numerator = rng.randint(1, 1000)
        yield some(count, most, lower, numerator, rng.choice((1, numerator, rng.randint(1, 1000) // gcd(numerator, 6) + 1)))


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
