"""Inputs of near-misses: distances of exactly d, single moments, the same velocity, and differences far below a double."""

import json
import math
import random
from collections.abc import Iterator
from typing import Any


def validate(given: Any) -> None:
    """Raise ValueError unless `given` is a legal input."""
    if not isinstance(given, list) or len(given) != 2 or type(given[1]) is not int or not isinstance(given[0], list):
        raise ValueError("not a list and a number")
    ships, d = given
    if not 1 <= len(ships) <= 100 or not 1 <= d <= 10**12:
        raise ValueError("the size")
    for ship in ships:
        if not isinstance(ship, list) or len(ship) != 6 or not all(type(value) is int and abs(value) <= 10**6 for value in ship):
            raise ValueError("a ship")
        if not 0 <= ship[4] <= ship[5]:
            raise ValueError("a time")


def _random(rng: random.Random, n: int, place: int, speed: int, time: int, d: int) -> list[Any]:
    ships = []
    for _ in range(n):
        spot = [rng.randint(-place, place), rng.randint(-place, place), rng.randint(-speed, speed), rng.randint(-speed, speed)]
        ships.append(spot + sorted((rng.randint(0, time), rng.randint(0, time))))
    return [ships, d]


def _touching(rng: random.Random, n: int, off: int) -> list[Any]:
    """Ships that pass one that lies still at the origin at a distance of d, but for a little."""
    d, ships = 5 * rng.randint(10**4, 3 * 10**4), [[0, 0, 0, 0, 0, 10**6]]
    for number in range(n - 1):
        way, speed = rng.randint(10**5, 10**5 * 2), rng.randint(10**2, 10**3)
        side, turn = d // 5, rng.randrange(4)
        x, y, vx, vy = -4 * way - 3 * side, -3 * way + 4 * side, 4 * speed, 3 * speed
        x, y = x + rng.randint(-off, off), y + rng.randint(-off, off)
        for _ in range(turn):
            x, y, vx, vy = -y, x, -vy, vx
        ships.append([x, y, vx, vy, 0, 10**6 - number])
    return [ships, d]


def _grazing(rng: random.Random, n: int, most: int) -> list[Any]:
    """Fast ships that pass the origin one after the other, half of them nearer than d by less than a micrometre."""
    speed = 10**6 - rng.randint(0, 10**3)
    d, square = rng.randint(most // 2, most), speed**2 + (speed - 1) ** 2
    ships = [[0, 0, 0, 0, 0, 10**6]]
    for number in range(n - 1):
        # The distance from the straight line through (x, y) to the origin is `off` divided by the root of `square`.
        off = math.isqrt(d * d * square - 1) + rng.randint(0, 1)
        turns, x = divmod(-off, speed)
        y, vx, vy = x + turns, speed, speed - 1
        if x * vx + y * vy > 0:
            vx, vy = -vx, -vy
        for _ in range(rng.randrange(4)):
            x, y, vx, vy = -y, x, -vy, vx
        ships.append([x, y, vx, vy, 10 * number, 10 * number + 5])
    return [ships, d]


def _far(rng: random.Random, n: int, d: int) -> list[Any]:
    """Ships that appear far from one that has been on its way for long, and pass it at d, half of them nearer by a hair."""
    ux, uy = rng.randint(750_000, 800_000), rng.randint(50_000, 150_000)
    ships = [[0, 0, ux, uy, 0, 10**6]]
    while len(ships) < n:
        # What follows is told from the new ship: the velocity of the old one, and its place when the new one appears.
        vx, vy = -rng.randint(150_000, 195_000), rng.randint(90_000, 110_000)
        if math.gcd(vx, vy) > 1:
            continue
        square = vx * vx + vy * vy
        time = round(d * math.sqrt(square) / (ux * vy - uy * vx))
        off = math.isqrt(d * d * square - 1) + rng.randint(0, 1)
        # x * vy - y * vx is to be `off`, near the place (ux * time, uy * time).
        x = off * pow(vy, -1, -vx) % -vx
        x += (ux * time - x) // -vx * -vx
        y = (x * vy - off) // vx
        spot = [ux * time - x, uy * time - y, ux - vx, uy - vy]
        if max(map(abs, spot)) <= 10**6 and 0 <= time and -(x * vx + y * vy) < (10**6 - time) * square:
            ships.append([*spot, time, 10**6])
    return [ships, d]


def _small(rng: random.Random) -> list[Any]:
    return _random(rng, rng.randint(1, 6), 8, 3, 6, rng.randint(1, 6))


def inputs() -> Iterator[list[Any]]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_116)
    yield [[[0, 0, 1, 0, 0, 10], [5, 3, 0, -1, 2, 9], [0, 4, 1, 0, 0, 10]], 3]
    yield [[[0, 0, 2, 0, 0, 1], [3, 0, -2, 0, 0, 1]], 1]
    yield [[[0, 0, 0, 0, 0, 5], [2, 0, 0, 0, 5, 9], [0, 1, 0, 0, 6, 6]], 3]
    yield [[[1, 1, 1, 1, 0, 1]], 10]
    yield [[[0, 0, 0, 0, 3, 3], [0, 0, 0, 0, 3, 3]], 1]
    yield [[[0, 0, 1, 1, 0, 9], [3, 4, 1, 1, 0, 9], [3, 3, 1, 1, 0, 9]], 5]
    yield [[[0, 0, 3, 4, 0, 100], [-4, 3, 0, 0, 0, 100], [100, 0, 3, 4, 7, 50]], 5]
    yield [[[0, 0, 10, 0, 5, 10], [0, 0, 10, 0, 0, 4], [60, 0, 0, 0, 11, 12], [50, 1, 0, 0, 9, 11]], 2]
    yield [[[-7, 0, 2, 0, 0, 7], [0, 1, 0, 0, 0, 3], [1, 0, 0, 0, 0, 3]], 1]
    # The ships are as near as d in their last moment alone, or nearer, or in their first moment.
    yield [[[0, 0, 0, 0, 0, 9], [-11, 0, 2, 0, 0, 3], [0, 12, 0, -2, 0, 3], [5, 0, 1, 0, 1, 8], [-7, 0, -3, 0, 2, 2]], 5]
    for _ in range(6):
        yield _small(rng)
    yield _random(rng, 40, 60, 4, 30, 7)
    yield _random(rng, 100, 1_000, 30, 60, 80)
    yield _random(rng, 100, 10**6, 10**6, 10**6, 10**12)
    yield _random(rng, 60, 10**6, 5, 10**6, 10**6)
    yield _random(rng, 60, 10**6, 10**6, 3, 10**6)
    for off in (0, 1, 2):
        yield _touching(rng, 60, off)
    for most in (10**3, 5 * 10**5):
        yield _grazing(rng, 40, most)
    for d in (2 * 10**10, 7 * 10**10):
        yield _far(rng, 40, d)
    big = 10**6
    yield [[[-big, at, big, 1, 0, 2 + at % 2] for at in range(30)] + [[big, -at, -big, 0, at % 2, 2] for at in range(30)], 9]


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
