# Takes the quickest journey of all and breaks ties by its longest flight: the wrong order of wishes.
import heapq
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
near = [[] for _ in range(n + 1)]
for a, b, w in zip(data[2::3], data[3::3], data[4::3]):
    near[a].append((w, b))
    near[b].append((w, a))
seen, queue = [False] * (n + 1), [(0, 0, 1)]
while queue:
    total, longest, a = heapq.heappop(queue)
    if a == n:
        print(longest, total)
        break
    if seen[a]:
        continue
    seen[a] = True
    for w, b in near[a]:
        if not seen[b]:
            heapq.heappush(queue, (total + w, max(longest, w), b))
else:
    print(-1)
