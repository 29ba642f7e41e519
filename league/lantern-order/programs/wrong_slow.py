# Right, but looks for the next lantern among all that are left: quadratic.
import sys

place = {"white": 0, "green": 1, "red": 2}
rows = [line.split() for line in sys.stdin.read().splitlines()[1:]]
left = [(place[colour], -int(light), len(name), name) for name, colour, light in rows]
while left:
    best = 0
    for at in range(1, len(left)):
        if left[at] < left[best]:
            best = at
    print(left.pop(best)[3])
