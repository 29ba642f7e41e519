# Builds the highest stack there is from what is left, and again, until nothing is left.
from bisect import bisect_left
from typing import List


class Solution:
    def fewestStacks(self, crates: List[List[int]]) -> int:
        left = sorted((width, -depth) for width, depth in crates)
        stacks = 0
        while left:
            lasts, ends, before = [], [], [-1] * len(left)
            for i, (_, depth) in enumerate(left):
                place = bisect_left(lasts, -depth)
                before[i] = ends[place - 1] if place else -1
                lasts[place : place + 1] = [-depth]
                ends[place : place + 1] = [i]
            taken, i = set(), ends[-1]
            while i >= 0:
                taken.add(i)
                i = before[i]
            left = [crate for i, crate in enumerate(left) if i not in taken]
            stacks += 1
        return stacks
