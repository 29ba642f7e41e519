# Measures a stretch only when it ends, so one that lasts to the end of the readings is lost.
from typing import List


class Solution:
    def tideAlarms(self, levels: List[int], low: int, high: int) -> List[int]:
        start = None
        switched = longest = 0
        for hour, level in enumerate(levels):
            if start is None and level >= high:
                start = hour
                switched += 1
            elif start is not None and level <= low:
                longest = max(longest, hour - start)
                start = None
        return [switched, longest]
