# Right, but tries all charts.
import sys

h, w, k = map(int, sys.stdin.read().split())
bits, found = 0, None
while bits < 1 << h * w and found is None:
    chart = [[bits >> (y * w + x) & 1 for x in range(w)] for y in range(h)]
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
        found = chart
    bits += 1
print("\n".join("".join(".#"[square] for square in row) for row in found) if found else "impossible")
