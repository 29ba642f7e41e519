"""Inputs of survey-triangle: doubled areas, small and large, odd and even, prime and with many divisors."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    numbers = [int(line) for line in value.removesuffix("\n").split("\n")]
    if value != "".join(f"{number}\n" for number in numbers):
        raise ValueError("format")
    if not (1 <= numbers[0] <= 100 and len(numbers) == numbers[0] + 1):
        raise ValueError("count")
    if not all(1 <= number <= 10**9 for number in numbers[1:]):
        raise ValueError("area")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_401)

    def make(numbers: list[int]) -> str:
        return "".join(f"{number}\n" for number in [len(numbers), *numbers])

    yield make([3, 2, 1])
    yield make([15])
    yield make([105, 100])
    yield make([1])
    yield make([2])
    yield make([4, 6, 8, 10, 12])
    yield make(list(range(5, 105)))
    yield make(list(range(105, 205)))
    yield make(list(range(10**9, 10**9 - 100, -1)))
    yield make([10**9])
    yield make([10**9 - 1])
    yield make([3**power for power in range(1, 19)])
    yield make([odd * odd for odd in range(3, 31_622, 331)])
    yield make([odd * (odd + 2) for odd in range(3, 31_600, 317)])
    yield make([223_092_870 // 2, 111_546_435 * 7, 111_546_435 * 5, 15_015, 255_255, 4_849_845, 900_900_900 + 45])
    yield make([999_999_937, 999_999_929, 2_147_483, 999_950_883, 40_001, 39_999, 40_000 * 25_000 - 1])
    for top in (30, 1000, 10**5, 10**7):
        yield make([rng.randint(1, top) for _ in range(60)])
    for _ in range(4):
        yield make([rng.randrange(10**9 - 10**6 + 1, 10**9, 2) for _ in range(100)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
