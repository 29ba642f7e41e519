# Right, but tries all ways to saw, for all slabs together.
import sys
from functools import cache

sys.setrecursionlimit(100_000)


@cache
def parts(size, count, most):
    """All ways to write `size` as a sum of `count` positive integers up to `most`, the largest first."""
    if count == 1:
        return [(size,)] if size <= most else []
    return [(x, *rest) for x in range(min(most, size - count + 1), 0, -1) for rest in parts(size - x, count - 1, x)]


@cache
def wins(yard, anna):
    """Whether the one whose turn it is wins."""
    for at, (a, p, b, q) in enumerate(yard):
        rest = yard[:at] + yard[at + 1 :]
        if anna:
            new = ([(x, p, b, q) for x in way] for way in (parts(a, p, a) if a >= p else ()))
        else:
            new = ([(a, p, x, q) for x in way] for way in (parts(b, q, b) if b >= q else ()))
        for slabs in new:
            if not wins(tuple(sorted((*rest, *slabs))), not anna):
                return True
    return False


def main():
    numbers = map(int, sys.stdin.read().split())
    for _ in range(next(numbers)):
        yard = tuple(sorted(tuple(next(numbers) for _ in range(4)) for _ in range(next(numbers))))
        anna, boris = wins(yard, True), wins(yard, False)
        print("first" if anna and boris else "Anna" if anna else "Boris" if boris else "second")


main()
