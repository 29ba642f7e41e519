"""Inputs of buoy-chain: reports that repeat, contradict or close long loops, a buoy and itself, and one-sided joins."""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any


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
    n, q = _numbers(first, 2)
    if not 1 <= n <= 20_000 or not 1 <= q <= 20_000 or len(rows) != q:
        raise ValueError("n or q")
    for row in rows:
        if row[:2] not in ("R ", "Q "):
            raise ValueError(f"message {row[:80]!r}")
        a, b, *distance = _numbers(row[2:], 3 if row[0] == "R" else 2)
        if not (1 <= a <= n and 1 <= b <= n and all(abs(d) <= 10**9 for d in distance)):
            raise ValueError(f"message {row!r}")


def _text(n: int, messages: list[str]) -> str:
    return f"{n} {len(messages)}\n" + "".join(f"{message}\n" for message in messages)


def _random(rng: random.Random, n: int, q: int, reach: int, *, lies: float, asks: float) -> str:
    """Messages about buoys with true places, of which a share `lies` of the reports is off."""
    places = [rng.randint(-reach, reach) for _ in range(n)]
    messages = []
    for _ in range(q):
        a, b = rng.randrange(n), rng.randrange(n)
        if rng.random() < asks:
            messages.append(f"Q {a + 1} {b + 1}")
        else:
            off = rng.choice((-1, 1)) if rng.random() < lies else 0
            messages.append(f"R {a + 1} {b + 1} {places[b] - places[a] + off}")
    return _text(n, messages)


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_319)
    yield _text(4, ["R 1 2 5", "R 2 3 -2", "Q 1 3", "R 3 1 4", "R 3 1 -3", "Q 4 1"])
    yield _text(5, ["R 1 2 7", "R 3 4 -9", "Q 2 4", "R 4 2 1", "Q 1 3"])
    yield _text(2, ["Q 1 1", "R 2 2 3", "R 2 2 0", "Q 2 1"])
    yield _text(1, ["R 1 1 0", "Q 1 1", "R 1 1 -1"])
    yield _text(2, ["R 1 2 -1000000000", "Q 1 2", "Q 2 1", "R 2 1 1000000000", "R 1 2 1000000000"])
    yield _text(3, ["R 1 2 0", "R 2 3 0", "Q 3 1", "R 3 1 0", "R 1 3 1"])
    yield _text(6, ["R 1 2 10", "R 3 4 10", "R 2 3 -9", "R 5 6 12", "R 6 1 0", "Q 5 4", "Q 4 5"])
    for n, q, reach in ((3, 8, 3), (4, 12, 4), (5, 16, 6), (6, 20, 9), (8, 30, 9)):
        yield _random(rng, n, q, reach, lies=0.25, asks=0.3)
    yield _random(rng, 40, 120, 50, lies=0.2, asks=0.4)
    yield _random(rng, 300, 700, 10**3, lies=0.1, asks=0.4)
    yield _random(rng, 600, 1_000, 5 * 10**8 - 1, lies=0.3, asks=0.3)
    yield _random(rng, 20_000, 1_500, 20, lies=0.0, asks=0.3)
    steps = [f"R {at} {at + 1} {10**9 - at % 3}" for at in range(1, 1_200)]
    yield _text(1_200, [*steps, "Q 1 1200", "Q 1200 1", "R 1200 1 0", "R 1 1200 1000000000"])
    # Pairs, fours, eights, ...: every join is between two groups of one size.
    joins = [(at, at + size) for size in (2**power for power in range(10)) for at in range(1, 1_025, 2 * size)]
    yield _text(1_024, [f"R {b} {a} {(a * 7 + b) % 50 - 25}" for a, b in joins] + ["Q 1 1024", "Q 377 900"])
    # One group grows buoy by buoy, and the report names its newest buoy first or last.
    grow = [f"R {at} {at + 1} 3" if at % 4 < 2 else f"R {at + 1} {at} 3" for at in range(1, 2_500)]
    yield _text(2_500, grow)
    # The same, but the group is always the second one of the report, and its far end is asked about now and then.
    grow = [f"R {at + 1} {at} {at % 2 * 4 - 2}" for at in range(1, 8_000)]
    asked = [message for at, report in enumerate(grow, 2) for message in (report, *([f"Q 1 {at}"] * (at % 40 == 0)))]
    yield _text(8_000, asked)
    # Two groups that grow at their ends, each in one way of joining, and then questions about their oldest buoys.
    grow = [f"R {at + 1} {at} 5" for at in range(1, 5_000)] + [f"R {at} {at + 1} -4" for at in range(5_001, 10_000)]
    asked = [f"Q {1 + at % 9} {2 + at % 7}" for at in range(5_000)] + [f"Q {5_001 + at % 7} {5_002 + at % 9}" for at in range(5_000)]
    yield _text(10_000, [*grow, *asked])


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
