# Right, but keeps all squares on which the boat can be, minute after minute, as long as there are phases.
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
while minute <= r * c * len(rhythm) and goal not in now:
    push = steps[rhythm[minute % len(rhythm)]]
    minute += 1
    after = {}
    for square, engine in now.items():
        for step in (0, -wide, 1, wide, -1):
            if water[square + step]:
                there = square + step + push
                if water[there]:
                    cost = engine + (step != 0)
                    if cost < after.get(there, 1 << 30):
                        after[there] = cost
    now = after
print(minute, now[goal]) if goal in now else print("never")
