# Counts all days of a visit in which he overstays.
from bisect import bisect_left
from typing import List


class Solution:
    def firstOverstay(self, visits: List[List[int]], window: int, limit: int) -> List[int]:
        firsts, lasts, before = [], [], [0]
        for first, last in visits:
            firsts.append(first)
            lasts.append(last)
            before.append(before[-1] + last - first + 1)

        def days(day):
            """How many days he has been ashore up to and including this one."""
            at = bisect_left(lasts, day)
            return before[at] + (max(0, day - firsts[at] + 1) if at < len(firsts) else 0)

        # Within a visit the count for the window never falls, so the days on which he overstays are its last ones.
        earliest, total = -1, 0
        for number, (first, last) in enumerate(visits):
            if before[number + 1] - days(last - window) <= limit:
                continue
            low, high = first, last
            while low < high:
                day = (low + high) // 2
                if before[number] + day - first + 1 - days(day - window) > limit:
                    high = day
                else:
                    low = day + 1
            earliest = low if earliest < 0 else earliest
            total += last - first + 1
        return [earliest, total]
