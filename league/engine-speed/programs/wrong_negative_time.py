# Forgets that the ship must move forwards: legs sailed backwards take a negative time.
from typing import List


class Solution:
    def slowestSpeed(self, legs: List[int], currents: List[int], hours: int) -> float:
        slow, fast = 0.0, sum(legs) / hours + 21
        for _ in range(100):
            middle = (slow + fast) / 2
            time = sum(leg / (middle + current) if middle + current else 1e18 for leg, current in zip(legs, currents))
            if time <= hours:
                fast = middle
            else:
                slow = middle
        return fast
