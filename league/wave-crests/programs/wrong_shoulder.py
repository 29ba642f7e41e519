# Asks only that the run be left downwards: a shoulder on the way down counts as a crest.
from itertools import groupby

input()
runs = [(height, len(list(run))) for height, run in groupby(map(int, input().split()))]
lengths = [run[1] for run, after in zip(runs, [*runs[1:], (-1001, 0)]) if run[0] > after[0]]
print(len(lengths), max(lengths))
