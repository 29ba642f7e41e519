# Counts all alarm hours, not the most in a row.
from typing import List


class Solution:
    def tideAlarms(self, levels: List[int], low: int, high: int) -> List[int]:
        on, switched, hours = False, 0, 0
        for level in levels:
            if not on and level >= high:
                on, switched = True, switched + 1
            elif on and level <= low:
                on = False
            hours += on
        return [switched, hours]
