# Counts each branch that is its own mirror image as a pair.
from typing import List

PRIME, BASE = (1 << 61) - 1, 911_382_323_717


class Solution:
    def mirrorPairs(self, parents: List[int], kinds: str) -> int:
        """Walks the coral twice, from left to right and from right to left: each branch is a stretch of both walks."""
        count = len(parents)
        children = [[] for _ in parents]
        sizes = [1] * count
        for polyp in range(1, count):
            children[parents[polyp]].append(polyp)
        for polyp in range(count - 1, 0, -1):
            sizes[parents[polyp]] += sizes[polyp]
        power = [1]
        for _ in parents:
            power.append(power[-1] * BASE % PRIME)

        def hashes(turn):
            sums, starts, todo = [0], [0] * count, [0]
            while todo:
                polyp = todo.pop()
                starts[polyp] = len(sums) - 1
                sums.append((sums[-1] * BASE + len(children[polyp]) * 32 + ord(kinds[polyp]) - 96) % PRIME)
                todo += children[polyp][::turn]
            return [(sums[at + size] - sums[at] * power[size]) % PRIME for at, size in zip(starts, sizes)]

        seen, alike = {}, 0
        left, right = hashes(-1), hashes(1)
        for each in left:
            seen[each] = seen.get(each, 0) + 1
        for own, other in zip(left, right):
            alike += seen.get(other, 0)
        return alike // 2
