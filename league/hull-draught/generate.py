"""Inputs of hull-draught: triangles on a tip and on a side, combs, both directions, flat steps, and outlines round a point."""

import json
import math
import random
from collections.abc import Iterator

_Point = tuple[int, int]


def _twice(corners: list[_Point]) -> int:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(corners, corners[1:] + corners[:1]))


def _side(a: _Point, b: _Point, c: _Point) -> int:
    cross = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (cross > 0) - (cross < 0)


def _on(a: _Point, b: _Point, c: _Point) -> bool:
    """Whether c, which lies on the line through a and b, lies between them."""
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def _meet(a: _Point, b: _Point, c: _Point, d: _Point) -> bool:
    p, q, r, s = _side(a, b, c), _side(a, b, d), _side(c, d, a), _side(c, d, b)
    if p != q and r != s:
        return True
    return any((not side and _on(*ends)) for side, ends in ((p, (a, b, c)), (q, (a, b, d)), (r, (c, d, a)), (s, (c, d, b))))


def _simple(corners: list[_Point]) -> bool:
    sides = list(zip(corners, corners[1:] + corners[:1]))
    for at, (a, b) in enumerate(sides):
        c, d = sides[(at + 1) % len(sides)]
        if not _side(a, b, d) and (b[0] - a[0]) * (d[0] - c[0]) + (b[1] - a[1]) * (d[1] - c[1]) <= 0:
            return False
        for other in range(at + 2, len(sides) - (at == 0)):
            if _meet(a, b, *sides[other]):
                return False
    return True


def validate(given: str) -> None:
    """Raise ValueError unless `given` is a legal input."""
    lines = given.split("\n")
    rows = [tuple(int(word) for word in line.split(" ")) for line in lines[:-1]]
    if not rows or given != "".join(" ".join(map(str, row)) + "\n" for row in rows) or any(len(row) != 2 for row in rows):
        raise ValueError("the spelling")
    (n, s), *corners = rows
    if not 3 <= n <= 400 or len(corners) != n or len(set(corners)) != n:
        raise ValueError("the corners")
    if not all(0 <= value <= 1_000 for corner in corners for value in corner) or not _simple(corners):
        raise ValueError("the outline")
    if not 1 <= s < abs(_twice(corners)):
        raise ValueError("the area")


def _text(corners: list[_Point], s: int) -> str:
    return f"{len(corners)} {s}\n" + "".join(f"{x} {y}\n" for x, y in corners)


def _star(rng: random.Random, count: int, far: int) -> list[_Point]:
    """An outline round a point, which sees all of it."""
    middle, rays = far, {}
    while len(rays) < 3 or len(rays) < count * 4 // 5 or _gap(list(rays)):
        for _ in range(count):
            x, y = rng.randint(-far, far), rng.randint(-far, far)
            if (x, y) != (0, 0):
                divisor = math.gcd(x, y)
                rays[x // divisor, y // divisor] = (middle + x, middle + y)
    angles = sorted(rays, key=lambda ray: math.atan2(ray[1], ray[0]))
    while len(angles) > count:
        angles.pop(rng.randrange(len(angles)))
    return [rays[ray] for ray in angles]


def _gap(rays: list[_Point]) -> bool:
    angles = sorted(math.atan2(y, x) for x, y in rays)
    return max(b - a for a, b in zip(angles, angles[1:] + [angles[0] + 2 * math.pi])) > 2.5


def _small(rng: random.Random) -> str:
    while True:
        corners = _star(rng, rng.randint(3, 7), rng.randint(2, 6))
        if _simple(corners) and abs(_twice(corners)) > 1:
            return _text(corners[:: rng.choice((1, -1))], rng.randint(1, abs(_twice(corners)) - 1))


def inputs() -> Iterator[str]:
    """Every input, in order; the first three are shown with the statement."""
    rng = random.Random(31_117)
    yield _text([(0, 0), (4, 0), (4, 2), (0, 2)], 8)
    yield _text([(2, 0), (4, 4), (0, 4)], 4)
    yield _text([(0, 0), (1, 0), (1, 3), (2, 3), (2, 1), (3, 1), (3, 4), (0, 4)], 6)
    yield _text([(0, 5), (6, 5), (3, 9)], 1)
    yield _text([(0, 5), (3, 9), (6, 5)], 23)
    yield _text([(0, 0), (1000, 0), (1000, 1000), (0, 1000)], 1)
    yield _text([(0, 0), (1000, 0), (1000, 1000), (0, 1000)], 1_999_999)
    yield _text([(0, 0), (5, 0), (10, 0), (10, 3), (10, 7), (0, 7)], 77)
    yield _text([(500, 0), (501, 1000), (499, 1000)], 3)
    yield _text([(0, 1000), (1000, 999), (1000, 1000)], 1)
    comb: list[_Point] = [(0, 1000)]
    for tooth in range(99):
        comb += [(10 * tooth, rng.randint(0, 600)), (10 * tooth + 5, rng.randint(0, 700)), (10 * tooth + 7, rng.randint(701, 990))]
    comb += [(1000, 500), (1000, 1000)]
    comb[1] = (0, 300)
    for share in (1, 300, 700, 990):
        yield _text(comb[:: 1 if share < 500 else -1], abs(_twice(comb)) * share // 1_000)
    steps: list[_Point] = [(0, 0)]
    for step in range(1, 50):
        steps += [(20 * step, 20 * step - 20), (20 * step, 20 * step)]
    steps += [(0, 980)]
    yield _text(steps, abs(_twice(steps)) // 3)
    for _ in range(4):
        yield _small(rng)
    for count, far in ((30, 50), (100, 300), (390, 500), (400, 500)):
        star = _star(rng, count, far)
        yield _text(star[:: rng.choice((1, -1))], rng.randint(1, abs(_twice(star)) - 1))


if __name__ == "__main__":
    for each in inputs():
        print(json.dumps(each))
