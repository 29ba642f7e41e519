# Right, but goes through all pairs of fillings of neighbouring columns anew, in the slowest way.
import sys
from itertools import product

words = sys.stdin.read().split()
h, w, grid = int(words[0]), int(words[1]), words[2:]
ways = {None: 1}
for x in range(w):
    after = {}
    for right in product("^v<>P#", repeat=h):
        total = 0
        for left, count in ways.items():
            good = True
            for y in range(h):
                kind = right[y]
                good = good and (kind == "#") == (grid[y][x] == "#")
                good = good and (kind == "^") == (y + 1 < h and right[y + 1] == "v")
                good = good and (kind != "v" or y > 0)
                good = good and (kind != "<" or x + 1 < w)
                good = good and not (kind == "P" and y > 0 and right[y - 1] == "P")
                good = good and (kind == ">") == (left is not None and left[y] == "<")
                good = good and not (kind == "P" and left is not None and left[y] == "P")
                if left is not None and y > 0:
                    good = good and ("<" in (left[y], left[y - 1]) or left[y - 1] == "^" or right[y - 1] == "^")
            total += good * count
        if total:
            after[right] = total % 1_000_000_007
    ways = after
print(sum(ways.values()) % 1_000_000_007)
