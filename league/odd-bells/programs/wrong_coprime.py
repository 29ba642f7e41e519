# Takes it that two bells always meet.
from math import gcd
from typing import List


def merge(one, two):
    """The first minute of both, and how often they meet after that; None if they never do."""
    (s, p), (t, q) = one, two
    g, x, y, b = p, 1, 0, q
    while b:
        d = g // b
        g, b, x, y = b, g - d * b, y, x - d * y
    period = p // g * q
    minute = s + (t - s) // g * x % (q // g) * p
    low = max(s, t)
    return minute + -((minute - low) // period) * period, period


class Solution:
    def oddMinutes(self, bells: List[List[int]], first: int, last: int) -> int:
        """Multiplies the signs of all bells, 1 - 2 at the minutes at which a bell rings, as sums of such sets of minutes."""
        signs = {(0, 1): 1}
        for start, period in bells:
            after = dict(signs)
            for minutes, weight in signs.items():
                both = merge(minutes, (start, period))
                if both and both[0] <= last:
                    after[both] = after.get(both, 0) - 2 * weight
            signs = {minutes: weight for minutes, weight in after.items() if weight}
        total = 0
        for (start, period), weight in signs.items():
            until = (last - start) // period + 1 if start <= last else 0
            before = (first - 1 - start) // period + 1 if start < first else 0
            total += weight * (until - before)
        return (last - first + 1 - total) // 2
