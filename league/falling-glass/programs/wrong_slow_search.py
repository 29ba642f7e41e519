# Right, but looks for high and low of each stretch anew.
import sys

n, d, *readings = map(int, sys.stdin.read().split())
count = length = 0
for start in range(n):
    for end in range(start + 1, n + 1):
        stretch = readings[start:end]
        high = stretch.index(max(stretch))
        low = end - start - 1 - stretch[::-1].index(min(stretch))
        if high < low and stretch[high] - stretch[low] >= d:
            count += 1
            length += end - start
print(count, length)
