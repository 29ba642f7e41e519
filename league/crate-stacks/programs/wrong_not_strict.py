# Lets crates of equal depth stand on each other.
from bisect import bisect_left
from typing import List


class Solution:
    def fewestStacks(self, crates: List[List[int]]) -> int:
        lasts: List[int] = []
        for _, depth in sorted((width, -depth) for width, depth in crates):
            place = bisect_left(lasts, depth)
            lasts[place : place + 1] = [depth]
        return len(lasts)
