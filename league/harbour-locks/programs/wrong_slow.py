# Right, but sends the boats through one by one.
import heapq
import sys

data = list(map(int, sys.stdin.read().split()))
boats = data[1]
queue = [(s + t, t, k, r, 1) for s, t, k, r in zip(*(data[2 + at :: 4] for at in range(4)))]
heapq.heapify(queue)
for _ in range(boats):
    minute, t, k, r, done = queue[0]
    heapq.heapreplace(queue, (minute + t + (r if done % k == 0 else 0), t, k, r, done + 1))
print(minute)
