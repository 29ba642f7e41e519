"""Inputs of ticket-roll: short and long days at the counter, on rolls of every length."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    lines = [[int(word) for word in line.split(" ")] for line in value.removesuffix("\n").split("\n")]
    if value != "".join(" ".join(map(str, line)) + "\n" for line in lines) or len(lines) != 2 or len(lines[0]) != 2:
        raise ValueError("format")
    (length, count), calls = lines
    if not (2 <= length <= 10**6 and 1 <= count == len(calls) <= 3000):
        raise ValueError("size")
    if not all(0 <= call < length for call in calls):
        raise ValueError("call")
    if any(a == b == c == d for a, b, c, d in zip(calls, calls[1:], calls[2:], calls[3:], strict=False)):
        raise ValueError("four times")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_601)

    def make(length: int, calls: list[int]) -> str:
        return f"{length} {len(calls)}\n{' '.join(map(str, calls))}\n"

    def day(length: int, count: int, most: int, again: float) -> str:
        calls, at = [], rng.randrange(length)
        while len(calls) < count:
            calls += [at] * (1 + (rng.random() < again) + (rng.random() < again))
            at = (at + rng.randint(1, most)) % length
        return make(length, calls[:count])

    yield make(100, [97, 98, 98, 1, 1, 1, 2])
    yield make(10, [3, 2, 2, 2])
    yield make(2, [0, 1, 1, 0])
    yield make(2, [1])
    yield make(2, [0, 0, 0])
    yield make(3, [0, 0, 0, 2, 2, 2, 1, 1, 1])
    yield make(5, [4, 4, 0, 0])
    yield make(5, [0, 4, 3, 2, 1, 0])
    yield make(1000, [999, 0])
    yield make(1000, [0, 999])
    yield make(7, [2, 2, 2, 3, 3, 3])
    for length, count, most, again in ((2, 9, 1, 0.5), (4, 20, 3, 0.6), (10, 30, 9, 0.4), (10, 50, 2, 0.8), (100, 80, 99, 0.5)):
        yield day(length, count, most, again)
    for length, most, again in ((100, 3, 0.2), (1000, 999, 0.1), (997, 5, 0.7), (2, 1, 0.9), (13, 12, 0.0)):
        yield day(length, 3000, most, again)
    yield day(10**6, 3000, 999_999, 0.1)
    yield make(10**6, [1, 0] * 900)
    yield make(10**6, list(range(999_999, 996_999, -1)))


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
