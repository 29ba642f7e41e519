# Right, but looks at every crease of a question.
import sys

folds, _, *numbers = sys.stdin.read().split()
k = len(folds)


def valley(crease):
    zeros = (crease & -crease).bit_length() - 1
    j = k - zeros
    down = (crease >> zeros + 1) % 2 == 1
    if j > 1 and folds[j - 2] in "Ll":
        down = not down
    return (folds[j - 1] in "RL") != down


for a, b in zip(numbers[::2], numbers[1::2]):
    total, changes, crease = 0, 0, int(a)
    before = valley(crease)
    while crease <= int(b):
        here = valley(crease)
        total += here
        changes += here != before
        before = here
        crease += 1
    print(total, changes)
