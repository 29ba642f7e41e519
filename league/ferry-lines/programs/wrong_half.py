# Believes that lines with three islands can always join three parts as long as there are enough of them.
import sys

(n, _), *lines = [[int(word) for word in line.split()] for line in sys.stdin]
top = list(range(n + 1))


def find(i):
    while top[i] != i:
        top[i] = top[top[i]]
        i = top[i]
    return i


for line in lines:
    for island in line:
        top[find(island)] = find(line[0])
trios = len({tuple(sorted(line)) for line in lines if len(line) == 3})
connected = len({find(island) for island in range(1, n + 1)}) == 1
print(n - 1 - min((n - 1) // 2, trios) if connected else -1)
