"""Inputs of drift-median: equal best stretches, many equal reports, spans of both parities, and long spans."""

import json
import random
import sys
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal list of arguments."""
    if not isinstance(given, list) or len(given) != 2 or not isinstance(given[0], list):
        raise ValueError("not reports and span")
    reports, span = given
    if not (type(span) is int and 1 <= span <= len(reports) <= 20_000):
        raise ValueError("the span or the number of reports")
    if not all(type(report) is int and abs(report) <= 50_000 for report in reports):
        raise ValueError("a report")


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_321)
    yield [[4, 9, 5, 1, 2, 8, 3], 3]
    yield [[-6, -2, -2, 7, 7, 1], 2]
    yield [[10, 0, 0, 10], 4]
    yield [[5], 1]
    yield [[50_000, -50_000, 50_000], 1]
    yield [[50_000, -50_000, 50_000, -50_000], 2]
    yield [[3, 1, 2, 3, 1, 2, 3], 3]
    yield [[9, 0, 0, 0, 9, 9, 9, 0], 4]
    yield [[0, 0, 10, 0, 0, 6, 6, 6, 9, 3], 5]
    yield [[100, 1, 2, 3, 4, 5], 5]
    for size, span in ((6, 2), (7, 3), (8, 4), (9, 5), (12, 3), (12, 6)):
        yield [[rng.randint(-6, 6) for _ in range(size)], span]
    yield [[rng.randint(-50, 50) for _ in range(200)], 17]
    yield [[rng.randint(-1, 1) for _ in range(1_000)], 40]
    yield [[rng.randint(-50_000, 50_000) for _ in range(2_000)], 901]
    yield [[rng.choice((-50_000, 50_000)) for _ in range(2_500)], 2_500]
    yield [[at * at % 1_009 for at in range(4_000)], 64]
    yield [[-7] * 5_000, 2_500]
    yield [list(range(9_000, 0, -1)), 4_501]
    yield [[rng.randint(-60, 60) for _ in range(15_000)], 7_500]


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
