"""Inputs of mast-relay: masts in bows, valleys and waves, in straight lines, and nearly in straight lines."""

import json
import random
from collections.abc import Callable, Iterator


def validate(value: str) -> None:
    """Raise ValueError unless `value` is a legal input."""
    lines = [[int(word) for word in line.split(" ")] for line in value.removesuffix("\n").split("\n")]
    (masts, queries), body = lines[0], lines[1:]
    if value != "".join(" ".join(map(str, line)) + "\n" for line in lines) or len(body) != masts + queries:
        raise ValueError("format")
    if not (2 <= masts <= 36_000 and 1 <= queries <= 36_000) or any(len(line) != 2 for line in body):
        raise ValueError("size")
    places = [line[0] for line in body[:masts]]
    if not all(a < b for a, b in zip(places, places[1:], strict=False)):
        raise ValueError("order")
    if not all(0 <= number <= 10**9 for line in body[:masts] for number in line):
        raise ValueError("mast")
    if not all(1 <= first < last <= masts for first, last in body[masts:]):
        raise ValueError("query")


def inputs() -> Iterator[str]:
    """Every input, in order."""
    rng = random.Random(30_204)

    def make(masts: list[tuple[int, int]], queries: list[tuple[int, int]]) -> str:
        rows = [(len(masts), len(queries)), *masts, *queries]
        return "".join(f"{a} {b}\n" for a, b in rows)

    def asked(masts: int, queries: int) -> list[tuple[int, int]]:
        return [tuple(sorted(rng.sample(range(1, masts + 1), 2))) for _ in range(queries)]  # type: ignore[misc]

    def every(masts: int) -> list[tuple[int, int]]:
        return [(a, b) for a in range(1, masts) for b in range(a + 1, masts + 1)]

    def line(count: int, height: Callable[[int], int]) -> list[tuple[int, int]]:
        return [(at, height(at)) for at in range(count)]

    yield make([(0, 2), (1, 5), (3, 1), (4, 4), (9, 3)], [(1, 2), (1, 5), (2, 5), (3, 5)])
    yield make([(0, 0), (1, 1), (2, 2), (4, 4)], [(1, 4), (1, 2), (2, 4)])
    yield make([(5, 9), (7, 0)], [(1, 2)])
    yield make([(0, 0), (1, 0), (2, 0)], every(3))
    yield make([(0, 5), (1, 0), (2, 5), (3, 0), (4, 5)], every(5))
    yield make([(0, 3), (1, 1), (2, 0), (4, 1), (5, 3)], every(5))
    yield make([(0, 0), (3, 2), (6, 4), (8, 5), (10, 6), (11, 7)], every(6))
    yield make([(0, 10**9), (10**9 - 1, 0), (10**9, 10**9)], every(3))
    big = 10**9
    yield make([(0, 0), (143305596, 111015257), (918034063, 711178002)], every(3))
    yield make([(0, 0), (770611609, 317143033), (908470054, 373878287)], every(3))
    yield make([(0, 0), (big // 2 - 1, big // 2), (big - 1, big)], every(3))
    yield make([(0, 0), (333_333_333, 333_333_334), (666_666_666, 666_666_668), (big, big)], every(4))
    for top in (1, 2, 5):
        for count in (7, 12):
            places = sorted(rng.sample(range(2 * count), count))
            yield make([(place, rng.randint(0, top)) for place in places], every(count))
    yield make(line(60, lambda at: at * (59 - at)), asked(60, 200))
    yield make(line(60, lambda at: at * at), asked(60, 200))
    nearly = [(at * 10_000_000 + rng.randint(0, 1), at * 9_999_999 + rng.randint(0, 1)) for at in range(1, 100)]
    yield make(nearly, asked(99, 300))
    yield make([(at * 3, rng.randint(0, 10**6)) for at in range(700)], asked(700, 300))
    yield make(line(2500, lambda at: rng.randint(0, 20)), asked(2500, 400))
    yield make(line(2500, lambda at: (at - 1250) ** 2 // 1000 + rng.randint(0, 3)), asked(2500, 400))
    yield make(line(1500, lambda at: at * (1500 - at) // 2), [(at % 10 + 1, 1500 - at % 13) for at in range(3000)])
    yield make(line(36_000, lambda at: 7), [(at % 10 + 1, 36_000 - at % 7) for at in range(36_000)])
    yield make(line(8000, lambda at: 9000 - at + at // 7999), [(at % 10 + 1, 8000 - at % 7) for at in range(50)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
