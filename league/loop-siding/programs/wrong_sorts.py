# Sorts what fits into the loop instead of keeping its order.
import heapq
import sys

n, c, *wagons = map(int, sys.stdin.read().split())
heap, order = [], []
for wagon in wagons:
    if len(heap) == c:
        order.append(heapq.heappushpop(heap, wagon))
    else:
        heapq.heappush(heap, wagon)
print(*order, *sorted(heap))
