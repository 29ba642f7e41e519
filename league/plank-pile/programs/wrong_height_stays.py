# Takes the planks away, but leaves the posts as high as before.
from typing import List


class Solution:
    def plankPile(self, posts: int, drops: List[int]) -> List[int]:
        on = [[-1] for _ in range(posts + 1)]
        tops = [0] * (posts + 1)
        for number, place in enumerate(drops):
            left, right = on[place], on[place + 1]
            if left[-1] == right[-1] >= 0:
                left.pop()
                right.pop()
            else:
                left.append(number)
                right.append(number)
                tops[place] = tops[place + 1] = max(tops[place], tops[place + 1]) + 1
        return tops[1:]
