# Sorts equal widths by rising depth, as if such crates could stand on each other.
from bisect import bisect_right
from typing import List


class Solution:
    def fewestStacks(self, crates: List[List[int]]) -> int:
        lasts: List[int] = []
        for _, depth in sorted(crates):
            place = bisect_right(lasts, -depth)
            lasts[place : place + 1] = [-depth]
        return len(lasts)
