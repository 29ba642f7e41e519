# Right, but walks all ferry lines from every island.
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
count = data[0]
needs = [0, *data[1 : count + 1]]
joined = [[] for _ in range(count + 1)]
for i in range(count + 1, 4 * count - 2, 3):
    here, there, length = data[i : i + 3]
    joined[here].append((there, length))
    joined[there].append((here, length))
best = None
for depot in range(1, count + 1):
    effort = 0
    stack = [(depot, 0, 0)]
    while stack:
        here, above, far = stack.pop()
        effort += needs[here] * far
        stack.extend((there, here, far + length) for there, length in joined[here] if there != above)
    if best is None or effort < best[0]:
        best = (effort, depot)
print(*best)
