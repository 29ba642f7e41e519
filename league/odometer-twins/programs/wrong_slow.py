# Right, but looks at every number.
from typing import List


class Solution:
    def countTwins(self, queries: List[List[int]]) -> List[int]:
        def total(number, base):
            result = 0
            while number:
                result += number % base
                number //= base
            return result

        return [
            sum(total(x, base) == total(x + distance, base) for x in range(limit + 1)) for base, distance, limit in queries
        ]
