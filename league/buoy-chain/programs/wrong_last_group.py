# Answers an accepted report with the length of the group that it joined, not of the longest one.
import sys

lines = sys.stdin.read().splitlines()
n = int(lines[0].split()[0])
up, east = list(range(n + 1)), [0] * (n + 1)
left, right = [0] * (n + 1), [0] * (n + 1)


def find(buoy):
    trail = []
    while up[buoy] != buoy:
        trail.append(buoy)
        buoy = up[buoy]
    offset = 0
    for each in reversed(trail):
        offset += east[each]
        up[each], east[each] = buoy, offset
    return buoy, offset


for line in lines[1:]:
    kind, *words = line.split()
    (root_a, at_a), (root_b, at_b) = find(int(words[0])), find(int(words[1]))
    if kind == "Q":
        print(at_b - at_a if root_a == root_b else "?")
    elif root_a == root_b:
        print(right[root_a] - left[root_a] if at_b - at_a == int(words[2]) else "no")
    else:
        shift = at_a + int(words[2]) - at_b
        up[root_b], east[root_b] = root_a, shift
        left[root_a] = min(left[root_a], shift + left[root_b])
        right[root_a] = max(right[root_a], shift + right[root_b])
        print(right[root_a] - left[root_a])
