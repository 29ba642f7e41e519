# Right, but goes through all stretches.
import sys

n, d, *readings = map(int, sys.stdin.read().split())
count = length = 0
for start in range(n):
    high = low = start
    for end in range(start, n):
        if readings[end] > readings[high]:
            high = end
        if readings[end] <= readings[low]:
            low = end
        if high < low and readings[high] - readings[low] >= d:
            count += 1
            length += end - start + 1
print(count, length)
