# Right, but moves every lantern forward, one place at a time, until the one before it is no worse.
import sys

place = {"white": 0, "green": 1, "red": 2}
row = []
for line in sys.stdin.read().splitlines()[1:]:
    name, colour, light = line.split()
    row.append((place[colour], -int(light), len(name), name))
    at = len(row) - 1
    while at and row[at] < row[at - 1]:
        row[at], row[at - 1] = row[at - 1], row[at]
        at -= 1
print("\n".join(each[3] for each in row))
