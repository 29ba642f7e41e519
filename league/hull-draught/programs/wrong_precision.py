# Stops at a hundredth.
import sys


def main():
    n, s, *data = map(int, sys.stdin.read().split())
    corners = list(zip(data[::2], data[1::2]))
    sides = list(zip(corners, corners[1:] + corners[:1]))
    direction = 1 if sum(a[0] * b[1] - a[1] * b[0] for a, b in sides) > 0 else -1

    def immersed(level):
        """Twice the area below a whole-number or fractional level: the integral of 2 x dy along what lies below it."""
        total = 0
        for (x, y), (p, q) in sides:
            if y > level:
                if q >= level:
                    continue
                x, y = p + (x - p) * (level - q) / (y - q), level
            elif q > level:
                p, q = x + (p - x) * (level - y) / (q - y), level
            total += (x + p) * (q - y)
        return total * direction

    heights = sorted({y for _, y in corners})
    low, high = 0, len(heights) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if immersed(heights[middle]) <= s:
            low = middle
        else:
            high = middle
    bottom, top = heights[low], heights[high]
    for _ in range(5):
        middle = (bottom + top) / 2
        if immersed(middle) <= s:
            bottom = middle
        else:
            top = middle
    print(f"{(bottom + top) / 2:.9f}")


main()
