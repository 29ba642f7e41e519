from bisect import bisect_right
from typing import List


class Solution:
    def fewestStacks(self, crates: List[List[int]]) -> int:
        # Widest first; each crate goes on the stack whose top is the shallowest that still holds it. Crates of one
        # width are put down together, shallowest first, so that none stands on its equal.
        by_width = {}
        for width, depth in crates:
            by_width.setdefault(width, []).append(depth)
        tops: List[int] = []  # depths of the topmost crates, sorted
        for width in sorted(by_width, reverse=True):
            put = []
            for depth in sorted(by_width[width], reverse=True):
                # Going from deep to shallow, a top once passed over is of no use to later crates of this width,
                # except those that are shallower: take the deepest demand first, with the tightest top.
                place = bisect_right(tops, depth)
                if place < len(tops):
                    tops.pop(place)
                put.append(depth)
            tops = sorted(tops + put)
        return len(tops)
