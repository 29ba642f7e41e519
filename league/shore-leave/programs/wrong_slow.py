# Right, but goes from day to day.
from typing import List


class Solution:
    def firstOverstay(self, visits: List[List[int]], window: int, limit: int) -> List[int]:
        earliest, total, count = -1, 0, 0
        oldest, out = 0, visits[0][0] if visits else 0  # the visit and the day that leave the window next
        for first, last in visits:
            day = first
            while day <= last:
                count += 1
                while out <= day - window:
                    count -= 1
                    out += 1
                    if out > visits[oldest][1]:
                        oldest += 1
                        out = visits[oldest][0]
                if count > limit:
                    total += 1
                    earliest = day if earliest < 0 else earliest
                day += 1
        return [earliest, total]
