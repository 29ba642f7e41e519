# Right, but tries all ways that lead on.
import sys

sys.setrecursionlimit(20_000)
n, m, r, c = map(int, input().split())
rock = (r - 1, c - 1)
start = (0, 0) if rock != (0, 0) else (0, 1)
seen, steps = {rock, start}, []


def go(here):
    y, x = here
    for letter, there in (("N", (y - 1, x)), ("E", (y, x + 1)), ("S", (y + 1, x)), ("W", (y, x - 1))):
        if there == start and len(seen) == n * m and len(steps) > 1:
            steps.append(letter)
            return True
        if there in seen or not (0 <= there[0] < n and 0 <= there[1] < m):
            continue
        seen.add(there)
        steps.append(letter)
        if go(there):
            return True
        steps.pop()
        seen.remove(there)
    return False


if go(start):
    print(start[0] + 1, start[1] + 1)
    print("".join(steps))
else:
    print("none")
