# Takes the left half for the one that never moves: the first layer always faces up.
import sys

folds, _, *numbers = sys.stdin.read().split()
k = len(folds)


def valleys(last):
    """Valleys among the creases 1 to `last`: fold number j made the odd multiples of 2^(k-j)."""
    total = 0
    for j, fold in enumerate(folds, 1):
        odd = (last >> (k - j)) + 1 >> 1  # how many odd multiples; they lie in layers that face up and down in turn
        up = (odd + 1) // 2
        if j < 1:  # the first layer lies face down after the left half was moved
            up = odd - up
        total += up if fold in "RL" else odd - up
    return total


def changes(a, b):
    """The odd creases are valleys and ridges in turn, so an even one differs from exactly one of its neighbours."""
    total = max(0, (b - 1) // 2 - a // 2)
    for even, odd in ((a, a + 1), (b, b - 1)):
        if even % 2 == 0 and a < b:
            low = min(even, odd)
            total += valleys(low + 1) - valleys(low - 1) == 1
    return total


for a, b in zip(numbers[::2], numbers[1::2]):
    print(valleys(int(b)) - valleys(int(a) - 1), changes(int(a), int(b)))
