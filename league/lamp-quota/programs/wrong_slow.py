# Right, but goes through the children one by one with all numbers of lit ones: quadratic in a star.
import sys

INF = float("inf")
data = list(map(int, sys.stdin.read().split()))
n = data[0]
cost, low, high = data[1 : 3 * n + 1 : 3], data[2 : 3 * n + 1 : 3], data[3 : 3 * n + 1 : 3]
near = [[] for _ in range(n)]
for a, b in zip(data[3 * n + 1 :: 2], data[3 * n + 2 :: 2]):
    near[a - 1].append(b - 1)
    near[b - 1].append(a - 1)
above, order = [-1] * n, [0]
for village in order:
    for other in near[village]:
        if other != above[village]:
            above[other] = village
            order.append(other)
best = [None] * n
for village in reversed(order):
    table = []
    for lit in (0, 1):
        counts = [0]
        for other in near[village]:
            if other != above[village]:
                on, off = best[other][2 + lit], best[other][lit]
                counts = [min(a + off, b + on) for a, b in zip([*counts, INF], [INF, *counts])]
        for over in (0, 1):
            fits = [value for k, value in enumerate(counts, lit + over) if low[village] <= k <= high[village]]
            table.append(min(fits, default=INF) + lit * cost[village])
    best[village] = table
answer = min(best[0][0], best[0][2])
print(-1 if answer == INF else answer)
