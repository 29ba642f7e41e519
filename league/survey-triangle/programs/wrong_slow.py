# Right, but tries all triangles with a corner at (0, 0).
from math import gcd


def solve(area):
    for size in range(1, 40001):
        for low in range(size + 1):
            for a, b in ((size, low), (low, size)):
                if gcd(a, b) > 1:
                    continue
                for x in range(size + 1):
                    for y in range(size + 1):
                        if abs(a * y - b * x) == area and gcd(x, y) == gcd(x - a, y - b) == 1:
                            return f"0 0 {a} {b} {x} {y}"
        if area % 2 == 0 and size * size > 4 * area:
            break
    return "none"


for _ in range(int(input())):
    print(solve(int(input())))
