# Right, but searches through all reports of a group for every message.
import sys

lines = sys.stdin.read().splitlines()
n = int(lines[0].split()[0])
reports = [[] for _ in range(n + 1)]
longest = 0


def places(start):
    """How far east of `start` every buoy of its group lies."""
    found, todo = {start: 0}, [start]
    while todo:
        buoy = todo.pop()
        for other, distance in reports[buoy]:
            if other not in found:
                found[other] = found[buoy] + distance
                todo.append(other)
    return found


for line in lines[1:]:
    kind, *words = line.split()
    a, b = int(words[0]), int(words[1])
    known = places(a)
    if kind == "Q":
        print(known.get(b, "?"))
        continue
    distance = int(words[2])
    if b in known:
        print(longest if known[b] == distance else "no")
        continue
    reports[a].append((b, distance))
    reports[b].append((a, -distance))
    known = places(a)
    longest = max(longest, max(known.values()) - min(known.values()))
    print(longest)
