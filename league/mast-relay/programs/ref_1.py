import sys
from bisect import bisect_left

data = list(map(int, sys.stdin.buffer.read().split()))
n, q = data[:2]
xs, hs = data[2 : 2 + 2 * n : 2], data[3 : 3 + 2 * n : 2]
senders, hull = [[] for _ in range(n)], [n - 1]
for i in range(n - 2, -1, -1):
    x, h = xs[i], hs[i]
    while len(hull) > 1:
        near, far = hull[-1], hull[-2]
        if (hs[far] - h) * (xs[near] - x) <= (hs[near] - h) * (xs[far] - x):
            break
        hull.pop()
    senders[hull[-1]].append(i)
    hull.append(i)
asked = [[] for _ in range(n)]
for number, at in enumerate(range(2 + 2 * n, len(data), 2)):
    asked[data[at] - 1].append((data[at + 1] - 1, number))
# The way of a message to the last mast, backwards and as negative numbers, which rise.
way, answers, todo = [], [0] * q, [(n - 1, 0)]
while todo:
    mast, depth = todo.pop()
    del way[depth:]
    way.append(-mast)
    for goal, number in asked[mast]:
        answers[number] = depth + 1 - bisect_left(way, 1 - goal)
    for sender in senders[mast]:
        todo.append((sender, depth + 1))
print("\n".join(map(str, answers)))
