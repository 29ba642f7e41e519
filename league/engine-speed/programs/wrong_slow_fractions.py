# Right, but computes the time of every leg as an exact fraction.
from fractions import Fraction
from typing import List


class Solution:
    def slowestSpeed(self, legs: List[int], currents: List[int], hours: int) -> float:
        slow = max(Fraction(0), Fraction(-min(currents)))
        if slow + min(currents) > 0 and sum(Fraction(leg) / (slow + c) for leg, c in zip(legs, currents)) <= hours:
            return 0.0
        fast = slow + sum(legs)
        for _ in range(100):
            middle = (slow + fast) / 2
            if sum(Fraction(leg) / (middle + current) for leg, current in zip(legs, currents)) <= hours:
                fast = middle
            else:
                slow = middle
        return float(fast)
