# Weighs pots at random and tries all answers for one that fits: far too slow for many pots, and not the only one for few.
import random
import sys

n, w = map(int, input().split())
sys.setrecursionlimit(10_000)
rng = random.Random(5)
rows, left = [], []
for number in range(w):
    row = [rng.choice((-1, 0, 1)) if number else 1 for _ in range(n)]
    print("? " + "".join("-LR"[place] for place in row), flush=True)
    rows.append(row)
    left.append(int(input()))
columns = list(zip(*rows))
rest = [([sum(max(0, row[k]) for k in range(at, n)) for row in rows], [sum(min(0, row[k]) for k in range(at, n)) for row in rows]) for at in range(n + 1)]


def search(at, left):
    most, least = rest[at]
    if any(not low <= value <= high for low, value, high in zip(least, left, most)):
        return None
    if at == n:
        return ""
    for pot in (0, 1):
        found = search(at + 1, [value - pot * place for value, place in zip(left, columns[at])])
        if found is not None:
            return str(pot) + found
    return None


print("! " + search(0, left), flush=True)
