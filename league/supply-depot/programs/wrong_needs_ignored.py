# Looks for the island nearest to all others, whatever they need; only the effort printed counts the crates.
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
below, islands = needs[:], [1] * (count + 1)
effort, distance = [0] * (count + 1), [0] * (count + 1)
for here in reversed(order[1:]):
    below[above[here]] += below[here]
    islands[above[here]] += islands[here]
    effort[1] += below[here] * far[here]
    distance[1] += islands[here] * far[here]
for here in order[1:]:
    effort[here] = effort[above[here]] + (below[1] - 2 * below[here]) * far[here]
    distance[here] = distance[above[here]] + (count - 2 * islands[here]) * far[here]
best = min(range(1, count + 1), key=distance.__getitem__)
print(effort[best], best)
