# Right, but looks for a largest matching of crates with crates that may stand on them.
import sys
from typing import List

sys.setrecursionlimit(100_000)


class Solution:
    def fewestStacks(self, crates: List[List[int]]) -> int:
        crates.sort()
        below = [-1] * len(crates)

        def placed(crate, tried):
            for other in range(crate + 1, len(crates)):
                if other in tried or crates[other][0] == crates[crate][0] or crates[other][1] <= crates[crate][1]:
                    continue
                tried.add(other)
                if below[other] < 0 or placed(below[other], tried):
                    below[other] = crate
                    return True
            return False

        return len(crates) - sum(placed(crate, set()) for crate in range(len(crates)))
