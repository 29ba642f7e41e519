# Right, but goes from flash to flash.
import sys

data = list(map(int, sys.stdin.read().split()))
for p, a, r, b, s, t in zip(*(data[1 + at :: 6] for at in range(6))):
    total, y = 0, p
    while y <= t:
        end = min(y + a, r if y < r else y + (r - y) % b)
        total += max(0, min(end - 1, t) - max(y, s) + 1)
        y += a
    print(total)
