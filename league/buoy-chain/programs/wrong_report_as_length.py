# Takes the longest single accepted report for the length of the longest group.
import sys

lines = sys.stdin.read().splitlines()
n = int(lines[0].split()[0])
up, east = list(range(n + 1)), [0] * (n + 1)


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


longest = 0
for line in lines[1:]:
    kind, *words = line.split()
    (root_a, at_a), (root_b, at_b) = find(int(words[0])), find(int(words[1]))
    if kind == "Q":
        print(at_b - at_a if root_a == root_b else "?")
        continue
    if root_a == root_b and at_b - at_a != int(words[2]):
        print("no")
        continue
    if root_a != root_b:
        up[root_b], east[root_b] = root_a, at_a + int(words[2]) - at_b
    longest = max(longest, abs(int(words[2])))
    print(longest)
