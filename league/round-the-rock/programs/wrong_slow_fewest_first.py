# Right, but searches, the squares with the fewest ways out first.
import sys

sys.setrecursionlimit(20_000)
n, m, r, c = map(int, input().split())
rock = (r - 1, c - 1)
start = (0, 0) if rock != (0, 0) else (0, 1)
seen, path = {rock, start}, [start]


def around(y, x):
    return [(b, a) for b, a in ((y - 1, x), (y, x + 1), (y + 1, x), (y, x - 1)) if 0 <= b < n and 0 <= a < m]


def go(here):
    if len(seen) == n * m:
        return start in around(*here) and len(path) > 2
    ways = [there for there in around(*here) if there not in seen]
    ways.sort(key=lambda there: sum(other not in seen for other in around(*there)))
    for there in ways:
        seen.add(there)
        path.append(there)
        if go(there):
            return True
        path.pop()
        seen.remove(there)
    return False


if go(start):
    print(start[0] + 1, start[1] + 1)
    letters = {(-1, 0): "N", (0, 1): "E", (1, 0): "S", (0, -1): "W"}
    print("".join(letters[b[0] - a[0], b[1] - a[1]] for a, b in zip(path, path[1:] + path[:1])))
else:
    print("none")
