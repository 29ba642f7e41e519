# Right, but always moves the group of the second buoy, however large it is: quadratic.
import sys

lines = sys.stdin.read().splitlines()
n = int(lines[0].split()[0])
place = [0] * (n + 1)
group = list(range(n + 1))
members = [[buoy] for buoy in range(n + 1)]
ends = [(0, 0)] * (n + 1)
longest = 0
for line in lines[1:]:
    kind, *words = line.split()
    a, b = int(words[0]), int(words[1])
    if group[a] == group[b]:
        distance = place[b] - place[a]
        print(distance if kind == "Q" else longest if distance == int(words[2]) else "no")
    elif kind == "Q":
        print("?")
    else:
        shift = place[a] + int(words[2]) - place[b]
        kept, moved = group[a], group[b]
        for buoy in members[moved]:
            place[buoy] += shift
            group[buoy] = kept
            members[kept].append(buoy)
        (west, east), (low, high) = ends[kept], ends[moved]
        ends[kept] = (min(west, low + shift), max(east, high + shift))
        longest = max(longest, ends[kept][1] - ends[kept][0])
        print(longest)
