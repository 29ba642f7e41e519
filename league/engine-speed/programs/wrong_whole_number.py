# Searches whole speeds only.
from typing import List


class Solution:
    def slowestSpeed(self, legs: List[int], currents: List[int], hours: int) -> float:
        slow, fast = max(0, 1 - min(currents)), sum(legs) + 21
        while slow < fast:
            middle = (slow + fast) // 2
            if sum(leg / (middle + current) for leg, current in zip(legs, currents)) <= hours:
                fast = middle
            else:
                slow = middle + 1
        return float(slow)
