# Accepts every report between buoys of one group, whatever it says.
import sys

lines = sys.stdin.read().splitlines()
n = int(lines[0].split()[0])
group = [{"places": {buoy: 0}} for buoy in range(n + 1)]
longest = 0
for line in lines[1:]:
    kind, *words = line.split()
    a, b = int(words[0]), int(words[1])
    if kind == "Q":
        places = group[a]["places"]
        print(places[b] - places[a] if group[a] is group[b] else "?")
        continue
    if group[a] is not group[b]:
        kept, moved = group[a]["places"], group[b]["places"]
        shift = kept[a] + int(words[2]) - moved[b]
        for buoy, place in moved.items():
            kept[buoy] = place + shift
            group[buoy] = group[a]
        longest = max(longest, max(kept.values()) - min(kept.values()))
    print(longest)
