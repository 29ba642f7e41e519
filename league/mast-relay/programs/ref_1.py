import sys

data = list(map(int, sys.stdin.buffer.read().split()))
n, q = data[:2]
xs, hs = data[2 : 2 + 2 * n : 2], data[3 : 3 + 2 * n : 2]
following, hull = [n - 1] * n, [n - 1]
for i in range(n - 2, -1, -1):
    x, h = xs[i], hs[i]
    while len(hull) > 1:
        near, far = hull[-1], hull[-2]
        if (hs[far] - h) * (xs[near] - x) <= (hs[near] - h) * (xs[far] - x):
            break
        hull.pop()
    following[i] = hull[-1]
    hull.append(i)
jumps = [following]
while min(jumps[-1]) < n - 1:
    last = jumps[-1]
    jumps.append([last[each] for each in last])
jumps = [(1 << power, jump) for power, jump in enumerate(jumps)][::-1]
answers = []
for at in range(2 + 2 * n, len(data), 2):
    a, b = data[at] - 1, data[at + 1] - 1
    steps = 1
    for size, jump in jumps:
        if jump[a] < b:
            a = jump[a]
            steps += size
    answers.append(steps)
print("\n".join(map(str, answers)))
