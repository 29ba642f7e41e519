# Counts the numbers with too few carries too.
from typing import List


def digits(number, base, count):
    result = []
    for _ in range(count):
        number, digit = divmod(number, base)
        result.append(digit)
    return result


class Solution:
    def countTwins(self, queries: List[List[int]]) -> List[int]:
        return [self.count(*query) for query in queries]

    def count(self, base, distance, limit):
        # Each carry of the addition takes base - 1 off the sum of the digits.
        length = 1
        while base**length <= distance + limit:
            length += 1
        of_distance, of_limit = digits(distance, base, length), digits(limit, base, length)
        needed, rest = divmod(sum(of_distance), base - 1)
        if rest:
            return 0
        # From the last digit on: (carry, whether the digits so far exceed those of the limit, carries) -> numbers.
        states = {(0, 0, 0): 1}
        for d, n in zip(of_distance, of_limit):
            after = {}
            for (carry, above, carries), ways in states.items():
                for over in (0, 1):
                    # The digits that carry are those from `edge` on.
                    edge = max(0, min(base, base - d - carry))
                    low, high = (edge, base) if over else (0, edge)
                    if carries + over > needed:
                        continue
                    below = max(0, min(high, n) - low)
                    equal = low <= n < high
                    more = high - low - below - equal
                    for then, count in ((0, below + equal * (not above)), (1, more + equal * above)):
                        if count:
                            key = (over, then, carries + over)
                            after[key] = after.get(key, 0) + ways * count
            states = after
        return sum(ways for (carry, above, _), ways in states.items() if not carry and not above)
