"""Inputs of night-watch: keepers who just meet, gaps at both ends and inside, long keepers that do not help, long chains."""

import json
import random
from collections.abc import Iterator

FAR = 1_000_000
Keepers = list[tuple[int, int]]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    count, begin, end = (int(each) for each in lines[0].split(" "))
    if not 1 <= count <= 9000 or len(lines) != count + 2 or lines[-1]:
        raise ValueError("the number of keepers")
    if not 0 <= begin < end <= FAR:
        raise ValueError("the night")
    for line in lines[1:-1]:
        come, leave = (int(each) for each in line.split(" "))
        if not 0 <= come < leave <= FAR:
            raise ValueError("a keeper")


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(20_407)

    def some(count: int, far: int, longest: int) -> Keepers:
        keepers = []
        for _ in range(count):
            come = rng.randrange(far)
            keepers.append((come, min(far, come + rng.randint(1, longest))))
        return keepers

    cases: list[tuple[int, int, Keepers]] = [
        (2, 12, [(0, 5), (3, 9), (4, 8), (5, 10), (9, 14)]),
        (0, 10, [(0, 4), (4, 10), (3, 7)]),
        (1, 9, [(0, 3), (2, 5), (6, 9)]),
        (0, 1, [(0, 1)]),
        (0, 2, [(0, 1)]),
        (5, 9, [(6, 9)]),
        (5, 9, [(0, 5), (9, 12)]),
        (5, 9, [(0, 20), (5, 9)]),
        (0, FAR, [(0, 500_000), (500_000, FAR)]),
        (0, FAR, [(0, 500_000), (500_001, FAR)]),
        (0, 12, [(0, 6), (6, 12), (2, 10)]),
        (0, 12, [(1, 11), (0, 4), (4, 8), (8, 12)]),
        (3, 20, [(0, 2), (1, 4), (4, 9), (3, 11), (11, 13), (12, 21)]),
    ]
    cases += [(2, 14, some(count, 16, longest)) for count, longest in ((6, 6), (8, 5), (10, 6), (12, 5), (16, 4), (20, 9))]
    cases += [(100, 900, some(300, 1_000, 60)), (100, 99_000, some(2_000, 100_000, 900))]
    cases.append((0, 8_999, [(minute, minute + 1) for minute in rng.sample(range(9_000), 9_000)]))
    chain = [(minute, minute + 7) for minute in range(0, 8_000, 4)]
    rng.shuffle(chain)
    cases.append((1, 8_000, chain))
    missing = {5_000, 5_002, 5_004, 5_006}
    cases.append((0, 9_000, [(minute, minute + 9) for minute in range(0, 9_000, 2) if minute not in missing]))
    for begin, end, keepers in cases:
        yield f"{len(keepers)} {begin} {end}\n" + "".join(f"{come} {leave}\n" for come, leave in keepers)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
