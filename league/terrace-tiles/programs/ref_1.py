from math import isqrt

TILES = 99  # squares of four cells, each sharing two with the one before


def steps(k, part):
    """The squares' ways, backwards from a terrace with k coverings, `part` of them with a tile on the last side.

    A square added on a side with m coverings, n of them with a tile there, makes m + n coverings. On its far side m
    of them have a tile, on its other sides n. So this is Euclid's algorithm; None if it takes too long or if k and
    `part` have a common factor.
    """
    ways = []
    while part < k and len(ways) <= TILES:
        if 2 * part >= k:
            k, part = part, k - part
            ways.append(True)  # straight on
        else:
            k -= part
            ways.append(False)
    return ways if k == part == 1 and len(ways) <= TILES else None


def design(k):
    """A short way: near the golden section most squares lie straight on."""
    middle = (isqrt(5 * k * k) - k) // 2
    for away in range(k + 2):
        for part in (middle - away, middle + away):
            if 0 < part <= k and (ways := steps(k, part)) is not None:
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
