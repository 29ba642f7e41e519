# Forgets that a run at either end of the record may be a crest.
from itertools import groupby

input()
runs = [(height, len(list(run))) for height, run in groupby(map(int, input().split()))]
lengths = [run[1] for before, run, after in zip(runs, runs[1:], runs[2:]) if before[0] < run[0] > after[0]]
print(len(lengths), max(lengths, default=0))
