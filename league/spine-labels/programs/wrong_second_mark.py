# Takes zeros at the end of the second mark for a difference.
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
    return (parts[0], int(number), decimals.rstrip("0"), first.rstrip("0"), second, year, copy)


class Solution:
    def booksToMove(self, labels: List[str]) -> int:
        tails = []  # the least last label of an ordered row of each length
        for label in labels:
            this = key(label)
            place = bisect_right(tails, this)
            tails[place : place + 1] = [this]
        return len(labels) - len(tails)
