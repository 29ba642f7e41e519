"""Inputs of terrace-tiles: the smallest numbers, powers, highly composite numbers and primes, and the largest numbers."""

import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    k = int(given)
    if given != f"{k}\n" or not 1 <= k <= 10**18:
        raise ValueError("the number")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(90_007)
    numbers = [3, 1, 8, 2, 4, 5, 6, 7, 12, 97, 100, 720_720, 10**9 + 7, 2**40, 3**30]
    numbers += [rng.randint(10**5, 10**6), rng.randint(10**11, 10**12), rng.randint(10**14, 10**15)]
    numbers += [897_612_484_786_617_600, 2**59, 3**37, 999_999_999_999_999_989, 679_891_637_638_612_258]
    numbers += [rng.randint(9 * 10**17, 10**18) for _ in range(6)] + [10**18 - 1, 10**18]
    for k in numbers:
        yield f"{k}\n"


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
