# Right, but raises the speed by a ten-millionth again and again until it suffices.
from typing import List


class Solution:
    def slowestSpeed(self, legs: List[int], currents: List[int], hours: int) -> float:
        length = {}
        for leg, current in zip(legs, currents):
            length[current] = length.get(current, 0) + leg
        speed = max(0.0, max(leg / hours - current for current, leg in length.items()))
        while sum(leg / (speed + current) for current, leg in length.items()) > hours * (1 + 1e-12):
            speed += max(speed, 1.0) * 1e-7
        return speed
