# Cuts the hours of each leg off when it looks whether the currents alone are enough.
from collections import Counter
from typing import List


class Solution:
    def slowestSpeed(self, legs: List[int], currents: List[int], hours: int) -> float:
        slowest = min(currents)
        if slowest > 0 and sum(leg // current for leg, current in zip(legs, currents)) <= hours:
            return 0.0
        length = Counter()
        for leg, current in zip(legs, currents):
            length[current] += leg
        # The time falls with the speed and is convex, so Newton's steps from a speed that is too slow never go too far.
        # Such a speed is the one that the legs with the worst current need for themselves.
        speed = max(0.0, length[slowest] / hours - slowest)
        for _ in range(200):
            time = slope = 0.0
            for current, leg in length.items():
                part = leg / (speed + current)
                time += part
                slope += part / (speed + current)
            step = (time - hours) / slope
            if step <= 1e-13 * max(1.0, speed):
                break
            speed += step
        return speed
