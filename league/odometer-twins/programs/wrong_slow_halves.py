# Right, but looks at all lower halves of numbers for each upper half.
from typing import List


def total(number, base):
    result = 0
    while number:
        number, digit = divmod(number, base)
        result += digit
    return result


class Solution:
    def countTwins(self, queries: List[List[int]]) -> List[int]:
        answers = []
        for base, distance, limit in queries:
            half = 1
            while half * half <= limit:
                half *= base
            found = 0
            for upper in range(limit // half + 1):
                for lower in range(min(half, limit - upper * half + 1)):
                    x = upper * half + lower
                    found += total(x, base) == total(x + distance, base)
            answers.append(found)
        return answers
