# Takes branches for twins that have the same parts in any order.
from typing import List


class Solution:
    def mirrorPairs(self, parents: List[int], kinds: str) -> int:
        # Equal branches get equal numbers; `facing` holds the number of each branch's mirror image.
        count = len(parents)
        children, shapes, number, facing = [[] for _ in parents], {}, [0] * count, [0] * count
        seen, pairs = {}, 0
        for polyp in range(count - 1, -1, -1):
            kind, here = kinds[polyp], children[polyp]
            # Children come from the last to the first.
            here.sort(key=lambda child: number[child])
            mirrored = (kind, *[number[child] for child in here])
            shape = (kind, *[number[child] for child in here])
            own = number[polyp] = shapes.setdefault(shape, len(shapes))
            other = facing[polyp] = shapes.setdefault(mirrored, len(shapes))
            pairs += seen.get(other, 0)
            seen[own] = seen.get(own, 0) + 1
            if polyp:
                children[parents[polyp]].append(polyp)
        return pairs
