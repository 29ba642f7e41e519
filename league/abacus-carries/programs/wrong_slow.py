# Right, but adds every pair.
from typing import List


class Solution:
    def countPairs(self, low: List[int], high: List[int], base: int, carries: int) -> int:
        found = 0
        x = low[0]
        while x <= high[0]:
            y = low[1]
            while y <= high[1]:
                a, b, carry, count, good = x, y, 0, 0, True
                while a or b:
                    out = int(a % base + b % base + carry >= base)
                    good = good and not (carry and out)
                    count += out
                    a, b, carry = a // base, b // base, out
                found += good and count == carries
                y += 1
            x += 1
        return found
