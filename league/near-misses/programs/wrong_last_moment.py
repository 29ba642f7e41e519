# Counts ships that come as near as d in their last moment.
from typing import List


class Solution:
    def nearMisses(self, ships: List[List[int]], d: int) -> int:
        return sum(near(one, two, d * d) for at, one in enumerate(ships) for two in ships[:at])


def near(one, two, square):
    """Whether the square of the distance falls below `square`."""
    start = max(one[4], two[4])
    length = min(one[5], two[5]) - start
    if length < 0:
        return False
    vx, vy = one[2] - two[2], one[3] - two[3]
    x = one[0] - two[0] + one[2] * (start - one[4]) - two[2] * (start - two[4])
    y = one[1] - two[1] + one[3] * (start - one[4]) - two[3] * (start - two[4])
    speed, closing = vx * vx + vy * vy, -(x * vx + y * vy)
    if closing <= 0:
        return x * x + y * y < square
    if closing >= length * speed:
        x, y = x + vx * length, y + vy * length
        return x * x + y * y <= square
    return (x * vy - y * vx) ** 2 < square * speed
