# Looks at quarters of a minute only, and goes through all of them.
from typing import List


class Solution:
    def nearMisses(self, ships: List[List[int]], d: int) -> int:
        found = 0
        for at, one in enumerate(ships):
            for two in ships[:at]:
                time, near = 4 * max(one[4], two[4]), False
                while time <= 4 * min(one[5], two[5]):
                    x = 4 * (one[0] - two[0]) + one[2] * (time - 4 * one[4]) - two[2] * (time - 4 * two[4])
                    y = 4 * (one[1] - two[1]) + one[3] * (time - 4 * one[4]) - two[3] * (time - 4 * two[4])
                    near = near or x * x + y * y < 16 * d * d
                    time += 1
                found += near
        return found
