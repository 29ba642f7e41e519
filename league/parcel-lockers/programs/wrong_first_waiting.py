# Looks only at the parcel that has waited longest.
from typing import List


class Solution:
    def assignLockers(self, lockers: List[int], events: List[int]) -> List[int]:
        free = set(range(len(lockers)))
        sizes, places, waiting = [], [], []
        for event in events:
            if event > 0:
                fits = [(lockers[locker], locker) for locker in free if lockers[locker] >= event]
                place = min(fits)[1] if fits else -1
                free.discard(place)
                if not fits:
                    waiting.append(len(sizes))
                sizes.append(event)
                places.append(place)
                continue
            parcel = -event - 1
            if parcel in waiting:
                waiting.remove(parcel)
                continue
            locker = places[parcel]
            for other in waiting[:1]:
                if sizes[other] <= lockers[locker]:
                    waiting.remove(other)
                    places[other] = locker
                    break
            else:
                free.add(locker)
        return places
