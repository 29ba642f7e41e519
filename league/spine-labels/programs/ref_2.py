import re
from typing import List

LABEL = re.compile(r"(\w+) (\d+)(?:\.(\d+))? \.(\w)(\d+)(?: ([A-Z])(\d+))?(?: (\d{4}))?(?: c\.(\d))?")


class Solution:
    def booksToMove(self, labels: List[str]) -> int:
        keys = []
        for label in labels:
            letters, whole, part, a, b, c, d, year, copy = LABEL.fullmatch(label).groups("")
            value = int(whole) * 10000 + int((part + "0000")[:4])
            marks = (a, int((b + "0000")[:5]), c, int(("1" + d + "00000")[:6]) if c else 0)
            keys.append((letters, value, marks, int(year or 0), int(copy or 1)))
        ranks = {each: rank for rank, each in enumerate(sorted(set(keys)), 1)}
        best = [0] * (len(ranks) + 1)  # a Fenwick tree of maxima over ranks
        longest = 0
        for each in keys:
            rank = at = ranks[each]
            length = 0
            while at:
                if best[at] > length:
                    length = best[at]
                at &= at - 1
            length += 1
            while rank < len(best):
                if best[rank] < length:
                    best[rank] = length
                rank += rank & -rank
            if length > longest:
                longest = length
        return len(labels) - longest
