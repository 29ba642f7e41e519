# Flies every route only in the direction in which it is written.
import heapq
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
near = [[] for _ in range(n + 1)]
for a, b, w in zip(data[2::3], data[3::3], data[4::3]):
    near[a].append((w, b))


def search(limit, combine):
    seen, queue = [False] * (n + 1), [(0, 1)]
    while queue:
        cost, a = heapq.heappop(queue)
        if a == n:
            return cost
        if not seen[a]:
            seen[a] = True
            for w, b in near[a]:
                if w <= limit:
                    heapq.heappush(queue, (combine(cost, w), b))
    return None


longest = search(10**9, max)
print(-1 if longest is None else f"{longest} {search(longest, int.__add__)}")
