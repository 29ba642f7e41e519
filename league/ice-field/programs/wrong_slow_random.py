# Right where it ends, but draws charts at random until one fits.
import random
import sys

h, w, k = map(int, sys.stdin.read().split())
rng = random.Random(1)
if k > h * w or k == h * w - 1 and min(h, w) > 1:
    print("impossible")
    sys.exit()
while True:
    share = rng.random()
    chart = [[(y + x) % 2 ^ (rng.random() < share) for x in range(w)] for y in range(h)]
    seen, regions = set(), 0
    for start in ((y, x) for y in range(h) for x in range(w)):
        if start not in seen:
            regions += 1
            stack = [start]
            seen.add(start)
            while stack:
                b, a = stack.pop()
                for d, c in ((b + 1, a), (b - 1, a), (b, a + 1), (b, a - 1)):
                    if 0 <= d < h and 0 <= c < w and (d, c) not in seen and chart[d][c] == chart[b][a]:
                        seen.add((d, c))
                        stack.append((d, c))
    if regions == k:
        print("\n".join("".join(".#"[square] for square in row) for row in chart))
        break
