from typing import List


class Solution:
    def tideAlarms(self, levels: List[int], low: int, high: int) -> List[int]:
        on = False
        switched = longest = current = 0
        for level in levels:
            if not on and level >= high:
                on = True
                switched += 1
                current = 0
            elif on and level <= low:
                on = False
            if on:
                current += 1
                longest = max(longest, current)
        return [switched, longest]
