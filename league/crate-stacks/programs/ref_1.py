from bisect import bisect_right
from typing import List


class Solution:
    def fewestStacks(self, crates: List[List[int]]) -> int:
        # As many stacks are needed as there are crates of which none may stand on another: in order of width, deepest
        # first among equals, this is the longest row of depths that never rises.
        lasts: List[int] = []  # negated depth at the end of the best row of each length
        for _, depth in sorted((width, -depth) for width, depth in crates):
            place = bisect_right(lasts, depth)
            lasts[place : place + 1] = [depth]
        return len(lasts)
