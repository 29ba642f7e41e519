# Right, but adds both ferries up again for every cut: quadratic.
n, room = map(int, input().split())
weights = list(map(int, input().split()))
best = None
for k in range(max(1, n - room), min(n - 1, room) + 1):
    gap = abs(sum(weights[:k]) - sum(weights[k:]))
    if best is None or gap < best[0]:
        best = (gap, k)
print(-1 if best is None else f"{best[1]} {best[0]}")
