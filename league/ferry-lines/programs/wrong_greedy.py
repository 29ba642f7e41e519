# Takes the lines with three islands in their order, each that joins three parts, and then any other lines.
import sys

(n, _), *lines = [[int(word) for word in line.split()] for line in sys.stdin]
top = list(range(n + 1))


def find(i):
    while top[i] != i:
        top[i] = top[top[i]]
        i = top[i]
    return i


parts, opened = n, 0
for least in (3, 2):
    for line in lines:
        roots = {find(island) for island in line}
        if len(roots) >= least:
            opened += 1
            parts -= len(roots) - 1
            for root in roots:
                top[root] = min(roots)
print(opened if parts == 1 else -1)
