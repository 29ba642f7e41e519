# Right, but adds up all visits anew at every step of the search.
from typing import List


class Solution:
    def firstOverstay(self, visits: List[List[int]], window: int, limit: int) -> List[int]:
        def count(day):
            total = 0
            for first, last in visits:
                total += max(0, min(last, day) - max(first, day - window + 1) + 1)
            return total

        earliest, total = -1, 0
        for first, last in visits:
            low, high = first, last + 1
            while low < high:
                day = (low + high) // 2
                if count(day) > limit:
                    high = day
                else:
                    low = day + 1
            if low <= last:
                earliest = low if earliest < 0 else earliest
                total += last - low + 1
        return [earliest, total]
