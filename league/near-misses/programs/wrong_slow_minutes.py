# Right, but goes through the common time of two ships minute by minute.
from typing import List


class Solution:
    def nearMisses(self, ships: List[List[int]], d: int) -> int:
        return sum(near(one, two, d * d) for at, one in enumerate(ships) for two in ships[:at])


def near(one, two, square):
    start, end = max(one[4], two[4]), min(one[5], two[5])
    vx, vy = one[2] - two[2], one[3] - two[3]
    x = one[0] - two[0] + one[2] * (start - one[4]) - two[2] * (start - two[4])
    y = one[1] - two[1] + one[3] * (start - one[4]) - two[3] * (start - two[4])
    speed = vx * vx + vy * vy
    for _ in range(start, end + 1):
        if x * x + y * y < square:
            return True
        if 0 < -(x * vx + y * vy) < speed and start < end and (x * vy - y * vx) ** 2 < square * speed:
            return True
        x, y, start = x + vx, y + vy, start + 1
    return False
