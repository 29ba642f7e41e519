# Right, but tries all sequences of moves.
import sys

sys.setrecursionlimit(10**6)
n, c, *wagons = map(int, sys.stdin.read().split())


def best(first, loop):
    if first == n and not loop:
        return []
    found = []
    if first < n:
        found.append([wagons[first], *best(first + 1, loop)])
        if len(loop) < c:
            found.append(best(first + 1, [*loop, wagons[first]]))
    if loop:
        found.append([loop[0], *best(first, loop[1:])])
    return min(found)


print(*best(0, []))
