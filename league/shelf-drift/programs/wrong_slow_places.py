# Right, but moves all books by one place at a time, until nothing moves.
import sys

_, shelf, *log = sys.stdin.read().splitlines()
row, thrown = list(shelf), 0
for line in log:
    kind, *rest = line.split()
    if kind in "LR":
        moved = True
        while moved:
            moved = False
            places = range(1, len(row)) if kind == "L" else range(len(row) - 2, -1, -1)
            beside = -1 if kind == "L" else 1
            for at in places:
                if row[at] not in ".|" and row[at + beside] == ".":
                    row[at + beside], row[at] = row[at], "."
                    moved = True
        continue
    at = int(rest[0]) - 1
    if kind == "-":
        if row[at] != "|":
            row[at] = "."
        continue
    free = at
    while free < len(row) and row[free] not in ".|":
        free += 1
    if free == len(row) or row[free] == "|":
        thrown += 1
    else:
        row[at : free + 1] = [rest[1], *row[at:free]]
print("".join(row))
print(thrown)
