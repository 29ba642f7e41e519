# Right, but searches a list of the tickets on the roll for the next number called.
from itertools import groupby

r, n = map(int, input().split())
runs = [(number, len(list(calls))) for number, calls in groupby(map(int, input().split()))]
roll = list(range(r)) * 2
dropped = 0
for (before, _), (after, _) in zip(runs, runs[1:]):
    dropped += roll.index(after, before + 1) - before - 1
missing = sum(calls == 3 for _, calls in runs)
print(len(runs) - missing, missing, dropped)
