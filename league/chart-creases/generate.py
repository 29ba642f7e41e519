"""Inputs of chart-creases: all folds of one kind, every short string of folds, single creases, and the longest strips."""

import itertools
import json
import random
from collections.abc import Iterator


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    folds, *rest = given.split("\n")
    if not 1 <= len(folds) <= 60 or set(folds) - set("RrLl") or len(rest) < 2 or rest[-1]:
        raise ValueError("the folds")
    if rest[0] != str(int(rest[0])) or not 1 <= int(rest[0]) <= 200 or len(rest) != int(rest[0]) + 2:
        raise ValueError("the number of questions")
    for line in rest[1:-1]:
        first, last = (int(word) for word in line.split(" "))
        if line != f"{first} {last}" or not 1 <= first <= last < 2 ** len(folds):
            raise ValueError("a question")


def _text(folds: str, asked: list[tuple[int, int]]) -> str:
    return f"{folds}\n{len(asked)}\n" + "".join(f"{a} {b}\n" for a, b in asked)


def _random(rng: random.Random, folds: str, count: int) -> str:
    most = 2 ** len(folds) - 1
    asked = [tuple(sorted((rng.randint(1, most), rng.randint(1, most)))) for _ in range(count)]
    return _text(folds, asked)  # type: ignore[arg-type]


def _small(rng: random.Random) -> str:
    return _random(rng, "".join(rng.choice("RrLl") for _ in range(rng.randint(1, 8))), rng.randint(1, 12))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_102)
    yield _text("R", [(1, 1)])
    yield _text("LR", [(1, 3), (1, 1), (3, 3)])
    yield _text("RrL", [(1, 7), (2, 4), (5, 5)])
    yield _text("l", [(1, 1)])
    for folds in ("RR", "Ll", "rLr"):
        yield _text(folds, [(at, at) for at in range(1, 2 ** len(folds))])
    for first, second in itertools.product("RL", repeat=2):
        folds = first + second + rng.choice("RrLl") + rng.choice("RrLl")
        yield _text(folds, [(at, at) for at in range(1, 16)])
    for count in (4, 6, 7, 9):
        yield _random(rng, "".join(rng.choice("RrLl") for _ in range(count)), 30)
    yield _random(rng, "R" * 20, 40)
    yield _random(rng, "l" * 25, 40)
    yield _text("R" * 60, [(1, 2**60 - 1), (1, 1), (2**60 - 1, 2**60 - 1), (2**59, 2**59)])
    yield _text("Ll" * 30, [(1, 2**60 - 1), (2, 2**60 - 2), (2**59 + 1, 2**60 - 1)])
    for _ in range(4):
        yield _random(rng, "".join(rng.choice("RrLl") for _ in range(60)), 200)
    yield _text("".join(rng.choice("RrLl") for _ in range(60)), [(at, at + 3) for at in range(2**59 - 90, 2**59 + 90)])
    yield _random(rng, "".join(rng.choice("RrLl") for _ in range(53)), 200)


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
