# Right, but goes from day to day.
from collections import deque
from typing import List


class Solution:
    def firstOverstay(self, visits: List[List[int]], window: int, limit: int) -> List[int]:
        ashore, earliest, total = deque(), -1, 0
        for first, last in visits:
            day = first
            while day <= last:
                ashore.append(day)
                while ashore[0] <= day - window:
                    ashore.popleft()
                if len(ashore) > limit:
                    total += 1
                    earliest = day if earliest < 0 else earliest
                    ashore.popleft() if len(ashore) > limit + 1 else None
                day += 1
        return [earliest, total]
