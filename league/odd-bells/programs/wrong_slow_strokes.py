# Right, but goes through the strokes of each bell.
from typing import List


class Solution:
    def oddMinutes(self, bells: List[List[int]], first: int, last: int) -> int:
        odd = set()
        for start, period in bells:
            minute = start if start >= first else start + (first - start + period - 1) // period * period
            while minute <= last:
                odd ^= {minute}
                minute += period
        return len(odd)
