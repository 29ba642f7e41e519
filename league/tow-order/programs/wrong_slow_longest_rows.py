# Right, but looks anew for the longest row of barges that have to leave before each barge.
import sys

sys.setrecursionlimit(10_000)
count, rules, *numbers = map(int, sys.stdin.read().split())
before = [set() for _ in range(count + 1)]
for a, b in zip(numbers[::2], numbers[1::2]):
    before[b].add(a)
behind = set()  # barges on the way to here


def row(barge):
    """How many barges leave one after another up to this one; more than there are if a ring holds it back."""
    if barge in behind:
        return count + 1
    behind.add(barge)
    longest = 1 + max((row(other) for other in before[barge]), default=0)
    behind.remove(barge)
    return longest


places = {barge: row(barge) for barge in range(1, count + 1)}
if max(places.values()) > count:
    print("stuck")
else:
    print(*sorted(places, key=places.get))
