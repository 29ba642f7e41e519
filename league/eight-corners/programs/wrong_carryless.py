# Multiplies without carry, but never reduces.
import sys


def times(a, b):
    result = 0
    while b:
        if b & 1:
            result ^= a
        a, b = a << 1, b >> 1
    return result


def worth(x, y, z):
    return times(times(x, y), z)


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
            for v in range(min(y, 20)):
                for w in range(min(z, 20)):
                    change = 0
                    for a in (x, u):
                        for b in (y, v):
                            for c in (z, w):
                                change ^= worth(a, b, c)
                    if change == total:
                        print(x, y, z, u, v, w)
                        return
    print("lost")


main()
