# Sails the whole route in the average current.
from typing import List


class Solution:
    def slowestSpeed(self, legs: List[int], currents: List[int], hours: int) -> float:
        average = sum(leg * current for leg, current in zip(legs, currents)) / sum(legs)
        return max(0.0, sum(legs) / hours - average)
