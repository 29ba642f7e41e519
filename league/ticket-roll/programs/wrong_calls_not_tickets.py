# Counts the calls of a served customer instead of the customer.
from itertools import groupby

r, n = map(int, input().split())
runs = [(number, len(list(calls))) for number, calls in groupby(map(int, input().split()))]
missing = sum(calls == 3 for _, calls in runs)
dropped = sum((after[0] - before[0]) % r - 1 for before, after in zip(runs, runs[1:]))
print(n - 3 * missing, missing, dropped)
