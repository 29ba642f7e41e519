# Looks for the nearest point at whole minutes only.
from typing import List


class Solution:
    def nearMisses(self, ships: List[List[int]], d: int) -> int:
        found = 0
        for at, (x, y, vx, vy, start, end) in enumerate(ships):
            for p, q, ux, uy, begin, stop in ships[:at]:
                low, high = max(start, begin), min(end, stop)
                if low > high:
                    continue

                def square(t):
                    a = x + vx * (t - start) - p - ux * (t - begin)
                    b = y + vy * (t - start) - q - uy * (t - begin)
                    return a * a + b * b

                while high - low > 1:
                    middle = (low + high) // 2
                    if square(middle) <= square(middle + 1):
                        high = middle
                    else:
                        low = middle
                found += min(square(low), square(high)) < d * d
        return found
