# Right, but fills in the whole chart square by square.
from typing import List

MOD = 998_244_353


class Solution:
    def countRoutes(self, east: int, north: int, reefs: List[List[int]], scratches: int) -> int:
        scratchy = {(x, y) for x, y in reefs}
        row = [[0] * (scratches + 1) for _ in range(east + 1)]
        row[0][0] = 1
        for y in range(north + 1):
            west = [0] * (scratches + 1)
            for x in range(east + 1):
                here = [(a + b) % MOD for a, b in zip(row[x], west)]
                if (x, y) in scratchy:
                    here = [0, *here[:-1]]
                row[x] = west = here
        return sum(row[-1]) % MOD
