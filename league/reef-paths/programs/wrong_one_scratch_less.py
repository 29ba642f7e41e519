# Counts the routes over fewer than `scratches` reefs, or over none if no scratch is accepted.
from typing import List

MOD = 998_244_353


class Solution:
    def countRoutes(self, east: int, north: int, reefs: List[List[int]], scratches: int) -> int:
        factorial = [1]
        for number in range(1, east + north + 1):
            factorial.append(factorial[-1] * number % MOD)
        inverse = [1] * len(factorial)
        inverse[-1] = pow(factorial[-1], -1, MOD)
        for number in range(len(factorial) - 1, 0, -1):
            inverse[number - 1] = inverse[number] * number % MOD
        squares = sorted(map(tuple, reefs)) + [(east, north)]
        most = max(scratches, 1)
        after = []
        for x, y in squares:
            at_least = [factorial[x + y] * inverse[x] % MOD * inverse[y] % MOD] + [0] * most
            for (a, b), counts in zip(squares, after):
                if b <= y:
                    ways = factorial[x - a + y - b] * inverse[x - a] % MOD * inverse[y - b] % MOD
                    for j in range(most):
                        at_least[j + 1] += counts[j] * ways
            after.append([(at_least[j] - at_least[j + 1]) % MOD for j in range(most)])
        return sum(after[-1]) % MOD
