# Right, but makes the running sums of all cars anew for every cut.
from itertools import accumulate

n, room = map(int, input().split())
weights = list(map(int, input().split()))
best = None
for k in range(max(1, n - room), min(n - 1, room) + 1):
    sums = list(accumulate(weights))
    gap = abs(sums[n - 1] - 2 * sums[k - 1])
    if best is None or gap < best[0]:
        best = (gap, k)
print(-1 if best is None else f"{best[1]} {best[0]}")
