# Gives the length of the highest crest instead of that of the longest.
from itertools import groupby

input()
runs = [(-1001, 0), *((height, len(list(run))) for height, run in groupby(map(int, input().split()))), (-1001, 0)]
crests = [run for before, run, after in zip(runs, runs[1:], runs[2:]) if before[0] < run[0] > after[0]]
print(len(crests), max(crests)[1])
