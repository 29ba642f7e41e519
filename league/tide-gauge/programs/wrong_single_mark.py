# Forgets the lower mark: the alarm follows the upper mark alone.
from typing import List


class Solution:
    def tideAlarms(self, levels: List[int], low: int, high: int) -> List[int]:
        switched = longest = current = 0
        for level in levels:
            if level >= high:
                if current == 0:
                    switched += 1
                current += 1
                longest = max(longest, current)
            else:
                current = 0
        return [switched, longest]
