# Checks the room on the first ferry only.
n, room = map(int, input().split())
weights = list(map(int, input().split()))
total, loaded, best = sum(weights), 0, None
for k in range(1, min(n - 1, room) + 1):
    loaded += weights[k - 1]
    gap = abs(total - 2 * loaded)
    if best is None or gap < best[1]:
        best = (k, gap)
print(-1 if best is None else f"{best[0]} {best[1]}")
