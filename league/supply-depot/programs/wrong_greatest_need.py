# Puts the depot on the island that needs most.
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
count = data[0]
needs = [0, *data[1 : count + 1]]
joined = [[] for _ in range(count + 1)]
for i in range(count + 1, 4 * count - 2, 3):
    here, there, length = data[i : i + 3]
    joined[here].append((there, length))
    joined[there].append((here, length))
best = max(range(1, count + 1), key=needs.__getitem__)
far = {best: 0}
stack = [best]
while stack:
    here = stack.pop()
    for there, length in joined[here]:
        if there not in far:
            far[there] = far[here] + length
            stack.append(there)
print(sum(needs[island] * far[island] for island in far), best)
