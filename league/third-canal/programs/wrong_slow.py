# Right, but tries every way, as long as it is not dearer than the best one so far.
import sys

sys.setrecursionlimit(10**6)
n, m, *data = map(int, sys.stdin.read().split())
ways = [[] for _ in range(n + 1)]
for u, v, w in zip(data[::3], data[1::3], data[2::3]):
    ways[u].append((v, w))
    ways[v].append((u, w))
best = (10**18, 0)


def sail(town, group, paid, canals):
    global best
    if (paid, canals) >= best or canals > 3 * n:
        return
    if town == n:
        best = (paid, canals)
    for there, toll in ways[town]:
        if len(group) == 2:
            sail(there, [], paid + toll - min(*group, toll), canals + 1)
        else:
            sail(there, [*group, toll], paid + toll, canals + 1)


sail(1, [], 0, 0)
print(*best) if best[0] < 10**18 else print(-1)
