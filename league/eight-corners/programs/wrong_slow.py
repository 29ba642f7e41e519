# Right, but works out the worth of every lamp from all moves.
import sys
from functools import cache

sys.setrecursionlimit(10**6)


@cache
def worth(x, y, z):
    seen = set()
    for u in range(x):
        for v in range(y):
            for w in range(z):
                after = worth(u, y, z) ^ worth(x, v, z) ^ worth(x, y, w)
                seen.add(after ^ worth(u, v, z) ^ worth(u, y, w) ^ worth(x, v, w) ^ worth(u, v, w))
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
            for v in range(y):
                for w in range(z):
                    change = 0
                    for a in (x, u):
                        for b in (y, v):
                            for c in (z, w):
                                change ^= worth(a, b, c)
                    if change == total:
                        print(x, y, z, u, v, w)
                        return


main()
