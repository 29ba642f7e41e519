# Right, but goes through all rows of reefs that a route can lead over.
from math import comb
from typing import List

MOD = 998_244_353


class Solution:
    def countRoutes(self, east: int, north: int, reefs: List[List[int]], scratches: int) -> int:
        factorial = [1]
        for number in range(1, east + north + 1):
            factorial.append(factorial[-1] * number % MOD)
        inverse = [pow(each, -1, MOD) for each in factorial[: max(east, north) + 1]]
        squares = sorted(map(tuple, reefs))
        chosen = [0] * (len(squares) + 1)  # by number of reefs: the routes over chosen ones, whatever else they meet

        def go_on(x, y, ways, number, start):
            east_left, north_left = east - x, north - y
            rest = factorial[east_left + north_left] * inverse[east_left] % MOD * inverse[north_left] % MOD
            chosen[number] += ways * rest
            for at in range(start, len(squares)):
                a, b = squares[at]
                if b >= y:
                    step = factorial[a - x + b - y] * inverse[a - x] % MOD * inverse[b - y] % MOD
                    go_on(a, b, ways * step % MOD, number + 1, at + 1)

        go_on(0, 0, 1, 0, 0)
        return sum(
            (-1) ** (number - exactly) * comb(number, exactly) * count
            for exactly in range(scratches + 1)
            for number, count in enumerate(chosen)
            if number >= exactly
        ) % MOD
