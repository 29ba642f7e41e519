# Puts each crate on the stack whose topmost crate is the deepest.
from typing import List


class Solution:
    def fewestStacks(self, crates: List[List[int]]) -> int:
        tops: List[int] = []
        for _, depth in sorted((-width, depth) for width, depth in crates):
            if tops and max(tops) > depth:
                tops[tops.index(max(tops))] = depth
            else:
                tops.append(depth)
        return len(tops)
