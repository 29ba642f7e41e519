# Right, but tries every way to match alike wagons, and takes the one with the fewest turns.
import sys
from itertools import permutations, product

here, wanted = sys.stdin.read().split()
n = len(here)


def best(first):
    row, goal = here[first::2], wanted[first::2]
    letters = sorted(set(row))
    places = [[at for at in range(len(goal)) if goal[at] == letter] for letter in letters]
    least = None
    for chosen in product(*(permutations(each) for each in places)):
        takes = {letter: iter(each) for letter, each in zip(letters, chosen)}
        to = [next(takes[letter]) for letter in row]
        turns = []
        for end in range(len(to)):
            for at in range(len(to) - 1 - end):
                if to[at] > to[at + 1]:
                    to[at], to[at + 1] = to[at + 1], to[at]
                    turns.append(2 * at + first + 1)
        if least is None or len(turns) < len(least):
            least = turns
    return least


if any(sorted(here[first::2]) != sorted(wanted[first::2]) for first in (0, 1)):
    print(-1)
else:
    turns = best(0) + (best(1) if n > 1 else [])
    print(len(turns))
    print(*turns)
