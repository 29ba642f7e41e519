"""Inputs of plate-shortage: small sums with every few digits, and long ones that only just have or lack a solution."""

import json
import random
from collections.abc import Iterator
from itertools import combinations


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    first, *lines = value.removesuffix("\n").split("\n")
    cases = [line.split(" ") for line in lines]
    if value != "".join(f"{line}\n" for line in [str(int(first)), *(" ".join(case) for case in cases)]):
        raise ValueError("format")
    if not 1 <= len(cases) <= 100 or int(first) != len(cases):
        raise ValueError("cases")
    for digits, number in cases:
        if not digits.isdigit() or "".join(sorted(set(digits))) != digits:
            raise ValueError("digits")
        if not number.isdigit() or number[0] == "0":
            raise ValueError("number")
    if sum(len(number) for _, number in cases) > 1000:
        raise ValueError("length")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_303)

    def make(cases: list[tuple[str, str]]) -> str:
        return "".join([f"{len(cases)}\n", *(f"{digits} {number}\n" for digits, number in cases)])

    def some(digits: str, length: int) -> str:
        """A number of these digits that begins with none but 0."""
        top = [digit for digit in digits if digit != "0"]
        return rng.choice(top) + "".join(rng.choice(digits) for _ in range(length - 1)) if top else "0"

    def sums(digits: str, length: int, other: int) -> tuple[str, str]:
        return digits, str(int(some(digits, length)) + int(some(digits, other)) or 1)

    yield make([("25", "77"), ("5", "60"), ("09", "99")])
    yield make([("1", "12"), ("01", "11"), ("7", "84"), ("0", "1"), ("89", "17")])
    yield make([("123", "1"), ("123", "2"), ("0123456789", "1"), ("0123456789", "2")])
    yield make([("05", "10"), ("05", "100"), ("05", "105"), ("05", "110"), ("05", "1000"), ("05", "555")])
    yield make([("9", "18"), ("9", "108"), ("9", "198"), ("9", "1998"), ("9", "1008"), ("9", "1098"), ("9", "9108")])
    for size in (1, 2, 2, 3):
        sets = ["".join(each) for each in combinations("0123456789", size)]
        yield make([(rng.choice(sets), str(rng.randint(1, 99))) for _ in range(100)])
    for size, top in ((2, 999), (3, 999), (4, 2000), (2, 5000)):
        sets = ["".join(each) for each in combinations("0123456789", size)]
        yield make([(rng.choice(sets), str(rng.randint(100, top))) for _ in range(100)])
    for length, count in ((12, 60), (30, 30), (90, 10)):
        sets = ["".join(sorted(rng.sample("0123456789", rng.choice((2, 3, 4))))) for _ in range(count)]
        yield make([sums(digits, length, rng.randint(1, length)) for digits in sets])
    yield make([("3478", str(int(some("3478", 400)) + int(some("3478", 400)))), ("36", "6" * 200), ("36", "9" * 150)])
    yield make([("2345", "19" + "7" * 300), ("2345", "7" * 300 + "1"), ("2345", "1" + "0" * 299)])
    yield make([("0123456789", "9" * 1000)])
    yield make([("012345678", "1" + "9" * 998)])
    yield make([("5", "1" * 499 + "0"), ("5", "6" * 250 + "0" + "1" * 100 + "0")])
    yield make([("4567", "1" * 499 + "2"), ("15", "6" * 499)])
    yield make([sums("0189", 999, 500)])
    yield make([sums("89", 999, 999)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
