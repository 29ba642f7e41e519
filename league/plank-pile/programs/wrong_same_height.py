# Takes two planks away wherever both posts are equally high, though they may carry different planks.
from typing import List


class Solution:
    def plankPile(self, posts: int, drops: List[int]) -> List[int]:
        on = [[0] for _ in range(posts + 1)]
        for place in drops:
            left, right = on[place], on[place + 1]
            if left[-1] == right[-1] > 0:
                left.pop()
                right.pop()
            else:
                layer = max(left[-1], right[-1]) + 1
                left.append(layer)
                right.append(layer)
        return [layers[-1] for layers in on[1:]]
