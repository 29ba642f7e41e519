# Right, but looks at every pair of books.
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
        keys, longest = [key(label) for label in labels], []
        for at, this in enumerate(keys):
            longest.append(1 + max((longest[to] for to in range(at) if keys[to] <= this), default=0))
        return len(labels) - max(longest)
