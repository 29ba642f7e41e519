"""Inputs of spine-labels: shelves of books in some order, from tiny ones with every kind of tie to a long shelf."""

import json
import random
import re
from collections.abc import Iterator
from typing import Any

LABEL = re.compile(
    r"[A-Z]{1,3} [1-9][0-9]{0,3}([.][0-9]{1,4})? [.][A-Z][0-9]{1,5}( [A-Z][0-9]{1,5})?( [12][0-9]{3})?( c[.][2-9])?"
)


def validate(value: Any) -> None:
    """Raise ValueError unless `value` is a legal list of arguments."""
    (labels,) = value
    if not (type(labels) is list and 1 <= len(labels) <= 9000):
        raise ValueError("size")
    if not all(type(label) is str and LABEL.fullmatch(label) for label in labels):
        raise ValueError("label")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(30_102)

    def digits(most: int) -> str:
        return "".join(rng.choice("0013589") for _ in range(rng.randint(1, most)))

    def label(letters: str, most: int, extra: float) -> str:
        parts = ["".join(rng.choice(letters) for _ in range(rng.randint(1, 2)))]
        parts.append(str(rng.randint(1, most)) + (f".{digits(2)}" if rng.random() < extra else ""))
        parts.append(f".{rng.choice(letters)}{digits(2)}")
        parts += [f"{rng.choice(letters)}{digits(2)}"] * (rng.random() < extra)
        parts += [str(rng.randint(1998, 2003))] * (rng.random() < extra)
        parts += [f"c.{rng.randint(2, 4)}"] * (rng.random() < extra / 2)
        return " ".join(parts)

    def some(count: int, letters: str, most: int, extra: float) -> list[Any]:
        return [[label(letters, most, extra) for _ in range(count)]]

    yield [["QA 76.9 .C3", "QA 76.9 .C25", "QA 9 .C3", "QA 76.9 .C35 2004", "QA 76.9 .C35 D4"]]
    yield [["Q 5 .A1", "Q 5 .A10", "Q 5 .A100", "Q 5.0 .A1 c.2", "Q 5 .A1 2001"]]
    yield [["ZA 3 .B2", "Z 20 .B2", "Z 3 .B2 1999 c.3", "Z 3 .B2 1999", "Z 3 .B2 c.2"]]
    yield [["A 1 .A1"]]
    yield [["B 1 .A1", "A 1 .A1"]]
    yield [["A 1 .A2"] * 5]
    yield [["A 10 .A1", "A 9 .A1", "A 9.5 .A1", "A 9.45 .A1", "A 9.50 .A1", "A 9.05 .A1"]]
    yield [["A 1 .B12", "A 1 .B3", "A 1 .B29", "A 1 .B290", "A 1 .B4"]]
    yield [["A 1 .B1 C1", "A 1 .B1 1950", "A 1 .B1 c.9", "A 1 .B1", "A 1 .B1 C1 1950", "A 1 .B1 C1 c.2"]]
    yield [["A 1 .B1 C30", "A 1 .B1 C3", "A 1 .B1 C300 1999", "A 1 .B1 C3 1999", "A 1 .B1 C31", "A 1 .B1 C3 2000"]]
    yield [["AB 1 .A1", "ABC 1 .A1", "A 1 .A1", "AC 1 .A1", "B 1 .A1"]]
    yield [["A 1.0 .B0", "A 1 .B00", "A 1.00 .B0 c.2", "A 1 .B0"]]
    for count, letters, most, extra in ((6, "A", 2, 0.5), (10, "AB", 3, 0.5), (20, "A", 1, 0.3), (50, "AQ", 12, 0.6)):
        yield some(count, letters, most, extra)
    for extra in (0.0, 0.2, 0.9):
        yield some(200, "AZ", 11, extra)
    yield [sorted(some(300, "AB", 120, 0.4)[0])]
    yield [[f"A {number} .B1" for number in range(600, 0, -1)]]
    yield [[f"A {number} .B1" for number in range(1, 9001)]]
    yield [[f"Q {number // 10}.{number % 10} .B{number % 7}" for number in range(6000, 15_000)][::-1]]
    shelf = [f"T {number // 3 + 1} .C{number % 3}{number % 9}" for number in range(9000)]
    for _ in range(400):
        shelf.insert(rng.randrange(8990), shelf.pop(rng.randrange(9000)))
    yield [shelf]
    yield some(2600, "K", 60, 0.3)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
