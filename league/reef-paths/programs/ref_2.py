import functools
import itertools
import operator
from typing import List

MOD = 998_244_353


class Solution:
    def countRoutes(self, east: int, north: int, reefs: List[List[int]], scratches: int) -> int:
        # clear[i][j]: routes from square i to square j over no reef between them. A route over r reefs is a start,
        # r reefs and the destination, joined by r + 1 clear pieces.
        factorial = list(itertools.accumulate(range(1, east + north + 1), lambda f, i: f * i % MOD, initial=1))
        inverse = functools.cache(lambda number: pow(factorial[number], MOD - 2, MOD))

        def free(a: int, b: int, x: int, y: int) -> int:
            if x < a or y < b:
                return 0
            return factorial[x - a + y - b] * inverse(x - a) % MOD * inverse(y - b) % MOD

        squares = [(0, 0), *sorted((x, y) for x, y in reefs), (east, north)]
        into = [[free(*before, *square) for before in squares[:at]] for at, square in enumerate(squares)]
        clear = []
        for i in range(len(squares)):
            row = []
            for j in range(i + 1, len(squares)):
                row.append((into[j][i] - sum(map(operator.mul, row, into[j][i + 1 :]))) % MOD)
            clear.append(row)

        if (east, north) == (0, 0):
            return 1
        routes = [1] + [0] * (len(squares) - 1)
        total = 0
        for _ in range(scratches + 1):
            further = [0] * len(squares)
            for i, count in enumerate(routes[:-1]):
                if count:
                    for j, ways in enumerate(clear[i], i + 1):
                        further[j] = (further[j] + count * ways) % MOD
            routes = further
            total += routes[-1]
        return total % MOD
