# Keeps only the first arrival on a square in a minute of the table, however many wet minutes he has behind him.
import sys

words = sys.stdin.read().split()
r, c, p, k = map(int, words[:4])
levels, grid = [int(word) for word in words[4 : 4 + p]], words[4 + p :]


def earliest():
    run = 1 if int(grid[0][0]) <= levels[0] else 0
    seen, ways, minute = {(0, 0, 0)}, [(0, 0, run)], 0
    if run > k:
        return -1
    while ways:
        if any((y, x) == (r - 1, c - 1) for y, x, _ in ways):
            return minute
        minute += 1
        further = []
        for y, x, run in ways:
            for down, right in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                b, a = y + down, x + right
                if not (0 <= b < r and 0 <= a < c) or (b, a, minute % p) in seen:
                    continue
                wet = int(grid[b][a]) <= levels[minute % p]
                if wet and (run == k or run and (down or right)):
                    continue
                seen.add((b, a, minute % p))
                further.append((b, a, run + 1 if wet else 0))
        ways = further
    return -1


print(earliest())
