"""Inputs of tidal-flats: a start that is wet, no way, long waits, paths that wind, and the largest grids."""

import json
import random
from collections.abc import Iterator

# Two grids in which the first way to a square is not always the one that leads on.
UPSTREAM = [
    "641464646664",
    "141644161141",
    "616666646446",
    "414441444614",
    "164164114414",
    "466666464444",
    "444446411466",
    "461641144664",
    "466644414461",
    "666146641646",
    "141141646141",
    "141461164446",
]
DOWNSTREAM = [
    "444444446144",
    "644464664441",
    "114646461416",
    "461661464144",
    "414116444414",
    "641114141464",
    "616146411144",
    "441444144641",
    "114616444444",
    "644444441446",
    "446441164464",
    "644464466616",
]


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    if len(lines) < 4 or lines[-1]:
        raise ValueError("the lines")
    r, c, p, k = (int(word) for word in lines[0].split(" "))
    levels = [int(word) for word in lines[1].split(" ")]
    if lines[0] != f"{r} {c} {p} {k}" or lines[1] != " ".join(map(str, levels)):
        raise ValueError("the spelling")
    if not (1 <= r <= 12 and 1 <= c <= 12 and 1 <= p <= 12 and 0 <= k <= 3):
        raise ValueError("the size")
    if len(levels) != p or not all(0 <= level <= 9 for level in levels):
        raise ValueError("the levels")
    rows = lines[2:-1]
    if len(rows) != r or not all(len(row) == c and row.isascii() and row.isdigit() for row in rows):
        raise ValueError("the grid")


def _text(levels: list[int], k: int, rows: list[str]) -> str:
    return f"{len(rows)} {len(rows[0])} {len(levels)} {k}\n{' '.join(map(str, levels))}\n" + "".join(row + "\n" for row in rows)


def _random(rng: random.Random, r: int, c: int, p: int, k: int, digits: str) -> str:
    levels = [rng.randint(int(min(digits)), int(max(digits))) for _ in range(p)]
    return _text(levels, k, ["".join(rng.choice(digits) for _ in range(c)) for _ in range(r)])


def _small(rng: random.Random) -> str:
    return _random(rng, rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 5), rng.randint(0, 3), rng.choice(("123", "0123456789", "159")))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_120)
    yield _text([1, 4, 4, 2], 1, ["533", "222", "925"])
    yield _text([3, 5], 0, ["44", "49"])
    yield _text([0, 9, 9], 2, ["12", "31"])
    yield _text([5], 0, ["5"])
    yield _text([5, 1], 1, ["5"])
    yield _text([4], 3, ["59", "95"])
    yield _text([9, 9, 9, 0], 3, ["11", "11"])
    yield _text([0, 9], 1, ["1111111", "1111111"])
    yield _text([0, 9, 9], 1, ["1111111", "1111111"])
    yield _text([8, 8, 1, 8, 8, 8, 2], 2, ["9393939393", "2222222222", "9393939393"])
    # Whoever comes to a square later, but has not been on wet ones for so long, gets farther or is earlier at the goal.
    yield _text([3, 7, 5], 2, ["4" + 3 * "725"])
    yield _text([3, 5, 8, 8, 8], 3, ["1446", "6644", "1414", "4611"])
    yield _text([8, 8, 3, 5], 2, ["16646", "64144", "16664", "66444", "46141", "61644"])
    for _ in range(7):
        yield _small(rng)
    winding = ["9" * 12 if row % 2 == 0 else ("0" * 11 + "7" if row % 4 == 1 else "7" + "0" * 11) for row in range(11)]
    yield _text([8, 6, 8, 8, 7], 0, winding)
    yield _text([1, 8, 8, 8, 3, 8, 8, 8, 8, 8, 8, 6], 3, [row.replace("9", "7") for row in winding])
    yield _random(rng, 12, 12, 12, 3, "0123456789")
    yield _random(rng, 12, 12, 11, 2, "3456")
    yield _random(rng, 12, 12, 12, 3, "2468")
    yield _random(rng, 12, 12, 7, 1, "45678")
    yield _random(rng, 12, 12, 12, 2, "0123456789")
    for far in (UPSTREAM, DOWNSTREAM):
        yield _text([8, 3, 5, 8], 2, far)
    yield _text([9] * 11 + [0], 3, ["5" * 12] * 12)
    yield _text([0] + [9] * 3 + [2] + [9] * 3 + [4], 3, ["".join(rng.choice("1357") for _ in range(12)) for _ in range(12)])
    yield _text([6, 3, 6, 4, 6, 5, 6, 5, 6, 4, 6, 3], 1, ["".join(rng.choice("4567") for _ in range(12)) for _ in range(12)])


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
