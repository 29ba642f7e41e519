# Right, but finds the longest row that the shelf and the ordered shelf share.
from bisect import bisect_right
from typing import List


def key(label):
    parts = label.split(" ")
    number, _, decimals = parts[1].partition(".")
    first, second, year, copy = parts[2], "", "", "c.1"
    for part in parts[3:]:
        if part[0] == "c":
            copy = part
        elif part[0] <= "9":
            year = part
        else:
            second = part
    return (parts[0], int(number), decimals.rstrip("0"), first.rstrip("0"), second and second.rstrip("0"), year, copy)


class Solution:
    def booksToMove(self, labels: List[str]) -> int:
        keys = [key(label) for label in labels]
        order = sorted(keys)
        row = [0] * (len(keys) + 1)
        for this in keys:
            above, row = row, [0]
            for at, other in enumerate(order):
                row.append(above[at] + 1 if this == other else max(row[at], above[at + 1]))
        return len(keys) - row[-1]
