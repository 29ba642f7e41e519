# Right, but raises the water by a hundred-thousandth at a time.
import sys

n, s, *data = map(int, sys.stdin.read().split())
corners = list(zip(data[::2], data[1::2]))
sides = list(zip(corners, corners[1:] + corners[:1]))


def immersed(level):
    total = 0
    for (x, y), (p, q) in sides:
        if y > level:
            x, y = (p + (x - p) * (level - q) / (y - q) if q < level else p), level
        if q > level:
            p, q = (x + (p - x) * (level - y) / (q - y) if y < level else x), level
        total += (x + p) * (q - y)
    return abs(total)


level = 100_000 * min(y for _, y in corners)
while immersed(level / 100_000) < s:
    level += 1
print((level - 0.5) / 100_000)
