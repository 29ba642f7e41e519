# Takes customers who were called twice for missing.
from itertools import groupby

r, n = map(int, input().split())
runs = [(number, len(list(calls))) for number, calls in groupby(map(int, input().split()))]
missing = sum(calls >= 2 for _, calls in runs)
dropped = sum((after[0] - before[0]) % r - 1 for before, after in zip(runs, runs[1:]))
print(len(runs) - missing, missing, dropped)
