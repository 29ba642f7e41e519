# Puts the largest waiting parcel that fits into a free locker.
from bisect import bisect_left, insort
from typing import List


class Solution:
    def assignLockers(self, lockers: List[int], events: List[int]) -> List[int]:
        """Free lockers lie sorted by size and number, so that the first one that is large enough is the right one."""
        free = sorted((size, locker) for locker, size in enumerate(lockers))
        parcels = []  # [size, locker, still there]
        for event in events:
            if event < 0:
                size, locker, _ = parcel = parcels[-event - 1]
                parcel[2] = False
                if locker < 0:
                    continue
                room = lockers[locker]
                nexts = [other for other in parcels if other[1] < 0 and other[2] and other[0] <= room]
                if nexts:
                    max(nexts, key=lambda other: other[0])[1] = locker
                else:
                    insort(free, (room, locker))
            else:
                at = bisect_left(free, (event, -1))
                parcels.append([event, free.pop(at)[1] if at < len(free) else -1, True])
        return [locker for _, locker, _ in parcels]
