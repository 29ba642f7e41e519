# Right, but looks for the share from 1 on.
TILES = 99


def steps(k, part):
    ways = []
    while part < k and len(ways) <= TILES:
        if 2 * part >= k:
            k, part = part, k - part
            ways.append(True)
        else:
            k -= part
            ways.append(False)
    return ways if k == part == 1 and len(ways) <= TILES else None


def design(k):
    for part in range(1, k + 1):
        ways = steps(k, part)
        if ways is not None:
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
