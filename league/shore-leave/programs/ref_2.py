# Two fingers: goes from one day at which a visit begins or ends, or falls out of the window, to the next.
from typing import List


class Solution:
    def firstOverstay(self, visits: List[List[int]], window: int, limit: int) -> List[int]:
        events = []
        for first, last in visits:
            events += [(first, 1, 0), (last + 1, -1, 0), (first + window, 0, 1), (last + 1 + window, 0, -1)]
        events.sort()
        events.append((events[-1][0] if events else 0, 0, 0))
        ashore = leaving = count = total = 0  # from here on: each day adds `ashore` and takes `leaving` away
        earliest, day = -1, 0
        for when, enters, leaves in events:
            if when > day:
                length, change = when - day, ashore - leaving
                if ashore:
                    # after k of these days the count is count + k * change
                    if change > 0:
                        need = max(1, limit + 1 - count)
                    else:
                        need = 1 if count > limit else length + 1
                    if need <= length:
                        total += length - need + 1
                        if earliest < 0:
                            earliest = day + need - 1
                count += length * change
                day = when
            ashore += enters
            leaving += leaves
        return [earliest, total]
