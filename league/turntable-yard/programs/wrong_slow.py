# Right, but tries all sequences of turns, short ones first.
import sys

here, wanted = map(list, sys.stdin.read().split())
n, turns = len(here), []


def search(left):
    if here == wanted:
        return True
    if not left:
        return False
    for at in range(n - 2):
        if here[at] != here[at + 2]:
            here[at], here[at + 2] = here[at + 2], here[at]
            turns.append(at + 1)
            if search(left - 1):
                return True
            turns.pop()
            here[at], here[at + 2] = here[at + 2], here[at]
    return False


if any(sorted(here[first::2]) != sorted(wanted[first::2]) for first in (0, 1)):
    print(-1)
else:
    depth = 0
    while not search(depth):
        depth += 1
    print(len(turns))
    print(*turns)
