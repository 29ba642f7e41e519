# Looks for a time at which the quadratic function of the distance is negative, by its values at the ends and its top.
from fractions import Fraction
from typing import List


class Solution:
    def nearMisses(self, ships: List[List[int]], d: int) -> int:
        ways = [(vx, x - vx * start, vy, y - vy * start, start, end) for x, y, vx, vy, start, end in ships]
        found = 0
        for at, (vx, x, vy, y, start, end) in enumerate(ways):
            for ux, p, uy, q, begin, stop in ways[at + 1 :]:
                low, high = max(start, begin), min(end, stop)
                if low > high:
                    continue
                a = (vx - ux) ** 2 + (vy - uy) ** 2
                b = 2 * ((vx - ux) * (x - p) + (vy - uy) * (y - q))
                c = (x - p) ** 2 + (y - q) ** 2 - d * d
                if (a * low + b) * low + c < 0 or (a * high + b) * high + c < 0:
                    found += 1
                elif a and b * b > 4 * a * c and low < Fraction(-b, 2 * a) < high:
                    found += 1
        return found
