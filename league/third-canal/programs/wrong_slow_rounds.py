# Right, but looks at every state again for every length of the way, up to three times the number of towns.
import sys

n, m, *data = map(int, sys.stdin.read().split())
ways = [[] for _ in range(n + 1)]
for u, v, w in zip(data[::3], data[1::3], data[2::3]):
    ways[u].append((v, w))
    ways[v].append((u, w))
best, answer = {(1, 0, 0): (0, 0)}, None
for _ in range(3 * n):
    after = dict(best)
    for (town, behind, lowest), (paid, canals) in best.items():
        for there, toll in ways[town]:
            low = min(lowest, toll) if behind else toll
            state = (there, 0, 0) if behind == 2 else (there, behind + 1, low)
            cost = (paid + toll - (low if behind == 2 else 0), canals + 1)
            if state not in after or cost < after[state]:
                after[state] = cost
    best = after
ends = [cost for (town, _, _), cost in best.items() if town == n]
print(*min(ends)) if ends else print(-1)
