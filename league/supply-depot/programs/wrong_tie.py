# Walks from island 1 as long as a step is no worse, so of equally good islands it ends on the last.
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
count = data[0]
needs = [0, *data[1 : count + 1]]
joined = [[] for _ in range(count + 1)]
for i in range(count + 1, 4 * count - 2, 3):
    here, there, length = data[i : i + 3]
    joined[here].append((there, length))
    joined[there].append((here, length))
above, far, order = [0] * (count + 1), [0] * (count + 1), [1]
for here in order:
    for there, length in joined[here]:
        if there != above[here]:
            above[there], far[there] = here, length
            order.append(there)
below, effort = needs[:], 0
for here in reversed(order[1:]):
    below[above[here]] += below[here]
    effort += below[here] * far[here]
best, moved = 1, True
while moved:
    moved = False
    for there, length in joined[best]:
        if there != above[best] and 2 * below[there] >= below[1]:
            effort += (below[1] - 2 * below[there]) * length
            best, moved = there, True
            break
print(effort, best)
