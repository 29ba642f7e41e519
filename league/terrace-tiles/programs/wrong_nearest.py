# Takes the number nearest to the golden section that has no common factor with k, however long that gets.
from math import gcd, isqrt

TILES = 99


def steps(k, part):
    ways = []
    while part < k :
        if 2 * part >= k:
            k, part = part, k - part
            ways.append(True)
        else:
            k -= part
            ways.append(False)
    return ways if k == part == 1  else None


def design(k):
    middle = (isqrt(5 * k * k) - k) // 2
    for away in range(k + 2):
        for part in (middle - away, middle + away):
            if 0 < part <= k and gcd(k, part) == 1 and (ways := steps(k, part)) is not None:
                return ways[::-1]
    raise AssertionError


def main():
    k = int(input())
    rows = {0: [1, 1], 1: [1, 1]}
    x, y, right = 1, 0, True
    for at, straight in enumerate(design(k)):
        if at:
            x, y = (x + 1, y) if right else (x, y + 1)
        for row in (y, y + 1):
            rows.setdefault(row, [x, x])
            rows[row][1] = max(rows[row][1], x + 1)
        right ^= not straight
    print(len(rows))
    for row in sorted(rows):
        print(*rows[row])


main()
