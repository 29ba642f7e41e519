# Lets planks vanish only if they were dropped directly one after the other.
from typing import List


class Solution:
    def plankPile(self, posts: int, drops: List[int]) -> List[int]:
        kept = []
        for place in drops:
            if kept and kept[-1] == place:
                kept.pop()
            else:
                kept.append(place)
        tops = [0] * (posts + 1)
        for place in kept:
            tops[place] = tops[place + 1] = max(tops[place], tops[place + 1]) + 1
        return tops[1:]
