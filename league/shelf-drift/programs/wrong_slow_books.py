# Right, but takes one book after the other and moves it place by place.
import sys


def slid(row):
    """The row after the ship heeled to the left."""
    for at in range(len(row)):
        while at and row[at] not in ".|" and row[at - 1] == ".":
            row[at - 1], row[at] = row[at], "."
            at -= 1
    return row


_, shelf, *log = sys.stdin.read().splitlines()
row, thrown = list(shelf), 0
for line in log:
    kind, *rest = line.split()
    if kind == "L":
        row = slid(row)
    elif kind == "R":
        row = slid(row[::-1])[::-1]
    elif kind == "-":
        if row[int(rest[0]) - 1] != "|":
            row[int(rest[0]) - 1] = "."
    else:
        at = free = int(rest[0]) - 1
        while free < len(row) and row[free] not in ".|":
            free += 1
        if free == len(row) or row[free] == "|":
            thrown += 1
        else:
            row[at : free + 1] = [rest[1], *row[at:free]]
print("".join(row))
print(thrown)
