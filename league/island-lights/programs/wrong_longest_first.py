# Begins with the longest light and goes round, but never switches it off again where the last ones make it unnecessary.
import sys

m, n, *numbers = map(int, sys.stdin.buffer.read().split())
longest = max(numbers[1::2])
first = numbers[1::2].index(longest)
origin = numbers[2 * first]
order = sorted(((start - origin) % m, size, light) for light, (start, size) in enumerate(zip(numbers[::2], numbers[1::2])))
chosen, reach, at = [first + 1], longest, 0
best = (longest, first)
while reach < m:
    while at < n and order[at][0] <= reach:
        start, size, light = order[at]
        best = max(best, (start + size, light))
        at += 1
    if best[0] == reach:
        chosen = []
        break
    reach = best[0]
    chosen.append(best[1] + 1)
if chosen:
    print(len(chosen))
    print(*chosen)
else:
    print("dark")
