# Right, but finds the best journeys between every two rocks.
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
routes = list(zip(data[2::3], data[3::3], data[4::3]))
far = float("inf")


def search(limit, combine):
    best = [[far] * (n + 1) for _ in range(n + 1)]
    for a, b, w in routes:
        if w <= limit:
            best[a][b] = best[b][a] = min(best[a][b], w)
    for rock in range(1, n + 1):
        for a in range(1, n + 1):
            for b in range(1, n + 1):
                by_here = combine(best[a][rock], best[rock][b])
                if by_here < best[a][b]:
                    best[a][b] = by_here
    return best[1][n]


longest = search(far, max)
print(-1 if longest == far else f"{longest} {search(longest, lambda one, two: one + two)}")
