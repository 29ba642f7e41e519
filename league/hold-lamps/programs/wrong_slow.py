# Right, but works out the worth of every lamp from all moves.
import sys
from functools import cache

sys.setrecursionlimit(10**6)


@cache
def worth(x, y, z):
    seen = set()
    for u in range(x):
        for v in range(y + 1):
            after = 0
            for w in range(z, -1, -1):
                for i in (x, u):
                    for j in {y, v}:
                        if (i, j, w) != (x, y, z):
                            after ^= worth(i, j, w)
                seen.add(after)
    value = 0
    while value in seen:
        value += 1
    return value


def main():
    _, *lamps = [tuple(map(int, line.split())) for line in sys.stdin]
    total = 0
    for lamp in lamps:
        total ^= worth(*lamp)
    if not total:
        print("lost")
        return
    for x, y, z in lamps:
        for u in range(x):
            for v in range(y + 1):
                change = 0
                for w in range(z, -1, -1):
                    for i in (x, u):
                        for j in {y, v}:
                            change ^= worth(i, j, w)
                    if change == total:
                        print(x, y, z, u, v, w)
                        return


main()
