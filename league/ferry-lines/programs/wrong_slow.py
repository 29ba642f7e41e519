# Right, but tries all sets of lines, the small ones first.
import itertools
import sys

(n, _), *lines = [[int(word) for word in line.split()] for line in sys.stdin]


def joins(chosen):
    """Whether these lines join all islands."""
    top = list(range(n + 1))

    def find(i):
        while top[i] != i:
            i = top[i]
        return i

    parts = n
    for line in chosen:
        for island in line[1:]:
            a, b = find(island), find(line[0])
            if a != b:
                top[a] = b
                parts -= 1
    return parts == 1


if not joins(lines):
    print(-1)
else:
    print(next(k for k in range(n) if any(map(joins, itertools.combinations(lines, k)))))
