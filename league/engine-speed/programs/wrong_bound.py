# Searches up to 1000 kilometres per hour; tight schedules need more.
from typing import List


class Solution:
    def slowestSpeed(self, legs: List[int], currents: List[int], hours: int) -> float:
        slow, fast = float(max(0, -min(currents))), 1000.0
        if min(currents) > 0 and sum(leg / current for leg, current in zip(legs, currents)) <= hours:
            return 0.0
        while fast - slow > 1e-9 * fast:
            middle = (slow + fast) / 2
            if sum(leg / (middle + current) for leg, current in zip(legs, currents)) <= hours:
                fast = middle
            else:
                slow = middle
        return fast
