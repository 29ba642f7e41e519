# Keeps only the cheapest way to a town at each place of a group, whatever was the lowest toll.
import heapq
import sys


def main():
    n, m, *data = map(int, sys.stdin.read().split())
    cheapest = {}
    for u, v, w in zip(data[::3], data[1::3], data[2::3]):
        for pair in ((u, v), (v, u)):
            cheapest[pair] = min(w, cheapest.get(pair, w))
    ways = [[] for _ in range(n + 1)]
    for (u, v), w in cheapest.items():
        ways[u].append((v, w))
    # A state is a town, how many canals of the group are behind, and the lowest toll among them.
    start = (1, 0, 0)
    short = {}
    best, queue = {start: (0, 0)}, [(0, 0, start)]
    while queue:
        paid, canals, state = heapq.heappop(queue)
        if best[state] != (paid, canals):
            continue
        town, behind, lowest = state
        if town == n:
            print(paid, canals)
            return
        for there, toll in ways[town]:
            low = min(lowest, toll) if behind else toll
            after = (there, 0, 0) if behind == 2 else (there, behind + 1, low)
            cost = (paid + toll - (low if behind == 2 else 0), canals + 1)
            key = after[:2]
            if key not in short or cost < short[key]:
                short[key] = cost
                best[after] = cost
                heapq.heappush(queue, (*cost, after))
    print(-1)


main()
