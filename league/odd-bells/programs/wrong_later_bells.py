# Forgets the bells after one that does not ring in time with the others.
from math import gcd
from typing import List


class Solution:
    def oddMinutes(self, bells: List[List[int]], first: int, last: int) -> int:
        # A minute at which k bells ring is counted once for each set of j of them, with the weight (-2)^(j-1): together
        # (1 - (-1)^k) / 2, which is 1 for odd k and 0 for even k.
        def count(at, start, period, weight):
            """The weighted minutes of all sets of the bells so far and some from `at` on."""
            total = 0
            for bell in range(at, len(bells)):
                other, step = bells[bell]
                common = gcd(period, step)
                if (other - start) % common:
                    continue
                turns = (other - start) // common * pow(period // common, -1, step // common) % (step // common)
                both = period // common * step
                meet = start + turns * period
                least = max(start, other)
                if meet < least:
                    meet += (least - meet + both - 1) // both * both
                if meet > last:
                    break
                skipped = max(0, (first - meet + both - 1) // both)
                total += weight * max(0, (last - meet) // both + 1 - skipped)
                total += count(bell + 1, meet, both, weight * -2)
            return total

        return count(0, 0, 1, 1)
