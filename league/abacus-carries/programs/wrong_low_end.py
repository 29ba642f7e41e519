# Leaves the lower ends of the ranges out.
from typing import List


class Solution:
    def countPairs(self, low: List[int], high: List[int], base: int, carries: int) -> int:
        def upto(a, b):
            """Pairs with 0 <= x <= a and 0 <= y <= b."""
            if a < 0 or b < 0:
                return 0
            # From the last place on: whether x and y are so far greater than the same places of a and b, and the carry.
            counts = {(False, False, 0): [1] + [0] * carries}
            while a or b:
                a, p = divmod(a, base)
                b, q = divmod(b, base)
                after = {}
                pairs = [(carry, *rest) for carry in (0, 1) for rest in digits(p, q, base, carry)]
                for (above_x, above_y, carry), count in counts.items():
                    for wanted, out, side_x, side_y, number in pairs:
                        if wanted != carry or (carry and out):
                            continue
                        key = (side_x > 0 or (side_x == 0 and above_x), side_y > 0 or (side_y == 0 and above_y), out)
                        row = after.setdefault(key, [0] * (carries + 1))
                        for k in range(out, carries + 1):
                            row[k] += count[k - out] * number
                counts = after
            return sum(counts.get((False, False, carry), [0] * (carries + 1))[carries] for carry in (0, 1))

        (a, b), (c, d) = low, high
        return upto(c, d) - upto(a, d) - upto(c, b) + upto(a, b)


def digits(p, q, base, carry):
    """How many pairs of digits, by the carry out of them and how they compare with the digits p and q."""
    found = {}
    for x in range(base):
        for y in range(base):
            key = (int(x + y + carry >= base), (x > p) - (x < p), (y > q) - (y < q))
            found[key] = found.get(key, 0) + 1
    return [(*key, number) for key, number in found.items()]
