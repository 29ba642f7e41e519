# Keeps the last of several best cuts.
n, room = map(int, input().split())
weights = list(map(int, input().split()))
total, loaded, best = sum(weights), 0, None
for k in range(1, n):
    loaded += weights[k - 1]
    if k <= room and n - k <= room:
        gap = abs(total - 2 * loaded)
        if best is None or gap <= best[1]:
            best = (k, gap)
print(-1 if best is None else f"{best[0]} {best[1]}")
