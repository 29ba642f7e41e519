# Right, but tries all stretches of days.
import sys

n, *days = map(int, sys.stdin.read().split())
valid = []
for first in range(n):
    if days[first] >= 0:
        continue
    for last in range(first, n):
        if days[last] > 2 or (last > first and days[last] >= 0 and days[last - 1] >= 0):
            break
        if days[last] < 0:
            valid.append((first, last))
            if len(valid) > 1 and valid[-2][0] == first:
                valid.pop(-2)
spells, reached = [], -1
for first, last in valid:
    if last > reached:
        spells.append((-sum(-day for day in days[first : last + 1] if day < 0), last - first, first, last))
        reached = last
print(len(spells))
if spells:
    severity, _, first, last = min(spells)
    print(first + 1, last + 1, -severity)
