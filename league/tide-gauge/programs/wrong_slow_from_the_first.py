# Right, but begins again with the first reading for every hour.
from typing import List


class Solution:
    def tideAlarms(self, levels: List[int], low: int, high: int) -> List[int]:
        def state(hour):
            on = False
            for level in levels[: hour + 1]:
                if level >= high:
                    on = True
                elif level <= low:
                    on = False
            return on

        switched = longest = current = 0
        for hour in range(len(levels)):
            if state(hour):
                switched += current == 0
                current += 1
                longest = max(longest, current)
            else:
                current = 0
        return [switched, longest]
