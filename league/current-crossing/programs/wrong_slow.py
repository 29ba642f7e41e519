# Right, but tries all ways of running the engine, longer and longer ones.
import sys

lines = sys.stdin.read().split("\n")
r, c = map(int, lines[0].split())
rhythm, wide = lines[1].strip(), c + 2
bay = "#" * wide + "".join("#" + line.strip() + "#" for line in lines[2 : 2 + r]) + "#" * wide
steps = {"N": -wide, "E": 1, "S": wide, "W": -1, "-": 0}


def least(square, minute, left):
    if bay[square] == "G":
        return 0 if left == 0 else 1 << 30
    if left == 0:
        return 1 << 30
    best, push = 1 << 30, steps[rhythm[minute % len(rhythm)]]
    for step in (0, -wide, 1, wide, -1):
        if bay[square + step] != "#" and bay[square + step + push] != "#":
            best = min(best, (step != 0) + least(square + step + push, minute + 1, left - 1))
    return best


for minutes in range(r * c * len(rhythm) + 1):
    engine = least(bay.index("S"), 0, minutes)
    if engine < 1 << 30:
        print(minutes, engine)
        break
else:
    print("never")
