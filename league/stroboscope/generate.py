"""Inputs of stroboscope: the number of berths, the berth at minute 0, and the berths passed in a minute."""

import json
import random
from collections.abc import Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    berths, start, speed = map(int, value.removesuffix("\n").split(" "))
    if value != f"{berths} {start} {speed}\n":
        raise ValueError("format")
    if not (2 <= berths <= 10**6 and 0 <= start < berths and 0 <= speed < berths):
        raise ValueError("number")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_404)
    for start in (0, 1):
        for speed in (0, 1):
            yield f"2 {start} {speed}\n"
    cases = [(3, 2, 2), (5, 0, 4), (7, 6, 0), (64, 63, 1), (1000, 999, 999), (1023, 511, 512)]
    cases += [(10**6, 0, 0), (10**6, 999_999, 999_999), (10**6, 0, 999_999), (10**6, 999_999, 0), (10**6, 500_000, 500_000)]
    cases += [(999_983, 1, 999_981), (999_999, 333_333, 666_666), (524_289, 524_288, 524_287)]
    cases += [(10**6, rng.randrange(10**6), rng.randrange(10**6)) for _ in range(6)]
    for berths, start, speed in cases:
        yield f"{berths} {start} {speed}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
