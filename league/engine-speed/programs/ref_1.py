from typing import List


class Solution:
    def slowestSpeed(self, legs: List[int], currents: List[int], hours: int) -> float:
        # The time depends on the length sailed in each of the at most 41 currents only.
        length = {}
        for leg, current in zip(legs, currents):
            length[current] = length.get(current, 0) + leg

        def in_time(speed: float) -> bool:
            return all(speed + current > 0 for current in length) and (
                sum(leg / (speed + current) for current, leg in length.items()) <= hours
            )

        slow, fast = 0.0, sum(legs) / hours + 21
        if in_time(slow):
            return 0.0
        for _ in range(100):
            middle = (slow + fast) / 2
            if in_time(middle):
                fast = middle
            else:
                slow = middle
        return fast
