# Counts routes over exactly `scratches` reefs instead of at most that many.
import functools
import itertools
from typing import List

MOD = 998_244_353


class Solution:
    def countRoutes(self, east: int, north: int, reefs: List[List[int]], scratches: int) -> int:
        factorial = list(itertools.accumulate(range(1, east + north + 1), lambda f, i: f * i % MOD, initial=1))
        inverse = functools.cache(lambda number: pow(factorial[number], MOD - 2, MOD))
        squares = sorted(map(tuple, reefs)) + [(east, north)]
        after = []
        for x, y in squares:
            at_least = [factorial[x + y] * inverse(x) % MOD * inverse(y) % MOD] + [0] * (scratches + 1)
            for (a, b), counts in zip(squares, after):
                if b <= y:
                    ways = factorial[x - a + y - b] * inverse(x - a) % MOD * inverse(y - b) % MOD
                    for j in range(scratches + 1):
                        at_least[j + 1] += counts[j] * ways
            after.append([(at_least[j] - at_least[j + 1]) % MOD for j in range(scratches + 1)])
        return after[-1][scratches]
