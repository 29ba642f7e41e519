"""Inputs of sand-watch: nothing moves, glasses turned twice at once, full ones turned over, and times without end."""

import json
import random
import re
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    n, seconds = (int(word) for word in lines[0].split(" "))
    if lines[0] != f"{n} {seconds}" or not (1 <= n <= 4 and 0 <= seconds <= 10**18) or len(lines) != n + 2 or lines[-1]:
        raise ValueError("the size")
    for line in lines[1:-1]:
        fits = re.fullmatch(r"([1-9]) (\d) ([01]+)", line)
        if not fits or int(fits[2]) > int(fits[1]) or len(fits[3]) != n:
            raise ValueError("a glass")


def _text(seconds: int, *glasses: tuple[int, int, str]) -> str:
    return f"{len(glasses)} {seconds}\n" + "".join(f"{s} {a} {word}\n" for s, a, word in glasses)


def _random(rng: random.Random, n: int, seconds: int, least: int, share: float) -> str:
    glasses = []
    for _ in range(n):
        s = rng.randint(least, 9)
        glasses.append((s, rng.randint(0, s), "".join("1" if rng.random() < share else "0" for _ in range(n))))
    return _text(seconds, *glasses)


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 4), rng.randint(0, 60), 1, rng.choice((0.3, 0.6)))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_132)
    big = 10**18
    yield _text(7, (3, 2, "01"), (5, 4, "11"))
    yield _text(10, (4, 4, "010"), (2, 2, "101"), (3, 1, "010"))
    yield _text(5, (6, 5, "1"))
    yield _text(0, (1, 1, "1"))
    yield _text(big, (1, 1, "1"))
    yield _text(big, (9, 0, "1"))
    yield _text(big, (9, 9, "0"))
    yield _text(1, (1, 1, "11"), (1, 1, "11"))
    yield _text(big, (3, 3, "01"), (3, 3, "10"))
    yield _text(12, (2, 2, "01"), (4, 4, "00"))
    yield _text(big - 1, (9, 1, "01"), (7, 7, "11"))
    for _ in range(5):
        yield _random(rng, rng.randint(2, 4), rng.randint(20, 90), 1, 0.5)
    yield _random(rng, 4, 5_000, 3, 0.4)
    for share in (0.3, 0.4, 0.5, 0.6, 0.7, 0.5, 0.45):
        yield _random(rng, 4, big - rng.randint(0, 10**6), 6, share)
    # The longest ways until something repeats that a search among random glasses found.
    yield _text(big, *_longest(random.Random(77), 400))
    yield _text(big - 12_345, *_longest(random.Random(78), 400))


def _longest(rng: random.Random, tries: int) -> list[tuple[int, int, str]]:
    """The glasses with the longest time until a state repeats."""
    best, found = -1, []
    for _ in range(tries):
        size = [rng.randint(5, 9) for _ in range(4)]
        sets = [[rng.random() < 0.5 for _ in range(4)] for _ in range(4)]
        top = start = tuple(rng.randint(1, s) for s in size)
        seen: set[tuple[int, ...]] = set()
        while top not in seen:
            seen.add(top)
            fallen = [max(0, grains - 1) for grains in top]
            out = [at for at in range(4) if top[at] == 1]
            turned = [sum(sets[at][other] for at in out) % 2 for other in range(4)]
            top = tuple(s - grains if turn else grains for s, grains, turn in zip(size, fallen, turned))
        if len(seen) > best:
            best = len(seen)
            found = [(s, a, "".join(str(int(each)) for each in row)) for s, a, row in zip(size, start, sets)]
    return found


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
