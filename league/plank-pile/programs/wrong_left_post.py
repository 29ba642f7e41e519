# Looks at the left post only: a plank at the same place vanishes even if another lies on its right end.
from typing import List


class Solution:
    def plankPile(self, posts: int, drops: List[int]) -> List[int]:
        on = [[(0, 0)] for _ in range(posts + 1)]
        for place in drops:
            left, right = on[place], on[place + 1]
            if left[-1][1] == place:
                plank = left.pop()
                right.remove(plank)
            else:
                plank = (max(left[-1][0], right[-1][0]) + 1, place)
                left.append(plank)
                right.append(plank)
        return [planks[-1][0] for planks in on[1:]]
