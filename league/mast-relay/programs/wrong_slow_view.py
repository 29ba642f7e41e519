# Right, but looks from each mast at all masts east of it.
import sys

data = list(map(int, sys.stdin.buffer.read().split()))
n, q = data[:2]
xs, hs = data[2 : 2 + 2 * n : 2], data[3 : 3 + 2 * n : 2]
following, hull = [n - 1] * n, [n - 1]
for i in range(n - 2, -1, -1):
    x, h = xs[i], hs[i]
    best = i + 1
    for j in range(i + 2, n):
        if (hs[j] - h) * (xs[best] - x) > (hs[best] - h) * (xs[j] - x):
            best = j
    following[i] = best
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
