# Right, but compares every crate with all before it.
from typing import List


class Solution:
    def fewestStacks(self, crates: List[List[int]]) -> int:
        depths = [-depth for _, depth in sorted((width, -depth) for width, depth in crates)]
        rows: List[int] = []
        for i, depth in enumerate(depths):
            longest = 0
            for j in range(i):
                if depths[j] >= depth and rows[j] > longest:
                    longest = rows[j]
            rows.append(longest + 1)
        return max(rows)
