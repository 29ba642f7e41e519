# Right, but tries all trains.
import sys

sys.setrecursionlimit(10_000)
hook, _, *wagons = sys.stdin.read().split()
best = None


def couple(free, train, turned, left):
    """Lengthen the train at its free hook."""
    global best
    if not left:
        if best is None or turned < best[0]:
            best = (turned, train)
        return
    for number in left:
        for sign, (front, rear) in ((1, wagons[number - 1]), (-1, wagons[number - 1][::-1])):
            if front != free:
                couple(rear, [*train, sign * number], turned + (sign < 0), left - {number})


couple(hook, [], 0, frozenset(range(1, len(wagons) + 1)))
print(*best[1]) if best else print("none")
