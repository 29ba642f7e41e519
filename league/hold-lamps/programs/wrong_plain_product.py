# Multiplies the values of the three directions as numbers.
import sys
from functools import cache


@cache
def worth(x, y, z):
    return x * (y + 1) * (z + 1 & -z - 1)


def main():
    _, *lamps = [tuple(map(int, line.split())) for line in sys.stdin]
    total = 0
    for lamp in lamps:
        total ^= worth(*lamp)
    if not total:
        print("lost")
        return
    for x, y, z in lamps:
        for u in range(min(x, 20)):
            for v in range(max(0, y - 20), y + 1):
                change = 0
                for w in range(z, max(-1, z - 20), -1):
                    for i in (x, u):
                        for j in {y, v}:
                            change ^= worth(i, j, w)
                    if change == total:
                        print(x, y, z, u, v, w)
                        return
    print("lost")


main()
