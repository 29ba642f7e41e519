# Answers questions with the distance without its sign.
import sys


def main() -> None:
    lines = sys.stdin.read().splitlines()
    n = int(lines[0].split()[0])
    group, place = list(range(n + 1)), [0] * (n + 1)
    members, ends = [[buoy] for buoy in range(n + 1)], [(0, 0)] * (n + 1)
    longest = 0
    for line in lines[1:]:
        kind, *words = line.split()
        a, b = int(words[0]), int(words[1])
        if group[a] == group[b]:
            away = place[b] - place[a]
            print(abs(away) if kind == "Q" else longest if away == int(words[2]) else "no")
            continue
        if kind == "Q":
            print("?")
            continue
        shift = place[a] + int(words[2]) - place[b]
        kept, moved = group[a], group[b]
        if len(members[kept]) < len(members[moved]):
            kept, moved, shift = moved, kept, -shift
        for buoy in members[moved]:
            place[buoy] += shift
            group[buoy] = kept
        members[kept] += members[moved]
        low, high = ends[moved]
        ends[kept] = (min(ends[kept][0], low + shift), max(ends[kept][1], high + shift))
        longest = max(longest, ends[kept][1] - ends[kept][0])
        print(longest)


main()
