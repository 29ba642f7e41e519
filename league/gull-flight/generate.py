"""Inputs of gull-flight: detours worth taking only where the hard crossing allows, unreachable rocks, long chains."""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

Route = tuple[int, int, int]


def _lines(given: Any) -> list[str]:
    if not isinstance(given, str) or not given.endswith("\n"):
        raise ValueError("not a text that ends in a newline")
    return given[:-1].split("\n")


def _numbers(line: str, count: int) -> list[int]:
    """The whole numbers of a line, which must be written plainly and stand one blank apart."""
    numbers = [int(word) for word in line.split(" ")]
    if len(numbers) != count or " ".join(map(str, numbers)) != line:
        raise ValueError(f"not {count} plain numbers: {line[:80]!r}")
    return numbers


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    first, *rows = _lines(given)
    n, m = _numbers(first, 2)
    if not 2 <= n <= 5_000 or not 1 <= m <= 10_000 or len(rows) != m:
        raise ValueError("n or m")
    for row in rows:
        a, b, w = _numbers(row, 3)
        if not (1 <= a <= n and 1 <= b <= n and a != b and 1 <= w <= 10**9):
            raise ValueError(f"route {row!r}")


def _text(n: int, routes: list[Route]) -> str:
    return f"{n} {len(routes)}\n" + "".join(f"{a} {b} {w}\n" for a, b, w in routes)


def _random(rng: random.Random, n: int, m: int, longest: int) -> str:
    routes = []
    for _ in range(m):
        a, b = rng.sample(range(1, n + 1), 2)
        routes.append((a, b, rng.randint(1, longest)))
    return _text(n, routes)


def _strip(rng: random.Random, n: int, width: int, longest: int) -> str:
    """A narrow strip of rocks, so that journeys have many flights and many ways around."""
    routes = []
    for a in range(1, n):
        for step in {1, rng.randint(1, width)}:
            if a + step <= n:
                ends = (a, a + step) if rng.random() < 0.5 else (a + step, a)
                routes.append((*ends, rng.randint(1, longest)))
    rng.shuffle(routes)
    return _text(n, routes)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_317)
    # Rock 2 is reached gently in 6 minutes or at once in 5; rock 5 is behind a flight of 5 anyway.
    yield _text(5, [(1, 3, 3), (3, 2, 3), (1, 2, 5), (2, 4, 5), (4, 5, 2)])
    yield _text(4, [(1, 2, 4), (2, 4, 4), (1, 4, 5), (3, 4, 1)])
    yield _text(3, [(1, 2, 7)])
    yield _text(2, [(1, 2, 1_000_000_000)])
    yield _text(2, [(1, 2, 9), (2, 1, 4), (1, 2, 6)])
    yield _text(4, [(2, 3, 1), (3, 4, 1)])
    yield _text(4, [(4, 3, 2), (3, 2, 2), (2, 1, 2), (1, 4, 3)])
    yield _text(6, [(1, 2, 1), (2, 3, 1), (3, 4, 1), (1, 4, 2), (4, 5, 2), (5, 6, 1), (1, 6, 3)])
    yield _text(6, [(1, 2, 2), (2, 3, 2), (3, 4, 2), (1, 4, 6), (4, 5, 6), (5, 6, 1), (4, 6, 9), (1, 6, 20)])
    for n, m, longest in ((4, 5, 4), (5, 8, 5), (6, 10, 4), (7, 11, 9), (8, 14, 5)):
        yield _random(rng, n, m, longest)
    yield _strip(rng, 30, 4, 6)
    yield _strip(rng, 120, 6, 9)
    yield _random(rng, 200, 1_200, 30)
    yield _random(rng, 1_000, 900, 100)
    yield _strip(rng, 1_000, 20, 10**9)
    yield _random(rng, 1_200, 4_000, 500)
    # Chains that are listed from their far end: one relaxation round moves one rock further.
    yield _text(3_000, [(a + 1, a, 10**9) for a in range(2_999, 0, -1)])
    yield _text(5_000, [(a + 1, a, 1 + a % 7) for a in range(4_999, 0, -1)])


def main() -> None:
    if sys.argv[1:] != ["validate"]:
        for given in inputs():
            print(json.dumps(given))
        return
    for line in sys.stdin:
        try:
            validate(json.loads(line))
            print("ok")
        except ValueError as wrong:
            print(f"wrong: {wrong}")


if __name__ == "__main__":
    main()
