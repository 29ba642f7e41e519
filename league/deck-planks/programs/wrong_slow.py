# Right, but makes all coverings one by one.
import sys

sys.setrecursionlimit(10**6)
words = sys.stdin.read().split()
h, w, grid = int(words[0]), int(words[1]), words[2:]
piece = [[0 if grid[y][x] == "." else -1 - y * w - x for x in range(w)] for y in range(h)]
patches = set()


def legal(y, x):
    """Whether the block of which this is the lower right square holds two squares of one piece."""
    return not (x and y) or len({piece[y][x], piece[y - 1][x], piece[y][x - 1], piece[y - 1][x - 1]}) < 4


def cover(at):
    if at == h * w:
        return 1
    x, y = divmod(at, h)
    if not legal(y, x) and piece[y][x]:
        return 0
    if piece[y][x]:
        return cover(at + 1)
    total = 0
    piece[y][x] = at + 1
    if legal(y, x) and (y - 1, x) not in patches and (y, x - 1) not in patches:
        patches.add((y, x))
        total += cover(at + 1)
        patches.remove((y, x))
    for b, a in ((y + 1, x), (y, x + 1)):
        if b < h and a < w and piece[b][a] == 0 and legal(y, x):
            piece[b][a] = at + 1
            total += cover(at + 1)
            piece[b][a] = 0
    piece[y][x] = 0
    return total


print(cover(0) % 1_000_000_007)
