# Right, but goes through all first numbers, with a count over the digits of the second one for each.
from typing import List


class Solution:
    def countPairs(self, low: List[int], high: List[int], base: int, carries: int) -> int:
        def upto(x, b):
            if b < 0:
                return 0
            states = {(False, 0, 0): 1}
            while x or b:
                x, p = divmod(x, base)
                b, q = divmod(b, base)
                after = {}
                for (above, carry, count), number in states.items():
                    for y in range(base):
                        out = int(p + y + carry >= base)
                        if not (carry and out):
                            key = (y > q or (y == q and above), out, count + out)
                            after[key] = after.get(key, 0) + number
                states = after
            return sum(number for (above, _, count), number in states.items() if not above and count == carries)

        total, x = 0, low[0]
        while x <= high[0]:
            total += upto(x, high[1]) - upto(x, low[1] - 1)
            x += 1
        return total
