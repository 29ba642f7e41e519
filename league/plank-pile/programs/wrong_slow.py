# Right, but goes back through all planks that still lie there to find the last one that touches either post.
from typing import List


class Solution:
    def plankPile(self, posts: int, drops: List[int]) -> List[int]:
        kept = []
        for place in drops:
            at = len(kept) - 1
            while at >= 0 and abs(kept[at] - place) > 1:
                at -= 1
            if at >= 0 and kept[at] == place:
                del kept[at]
            else:
                kept.append(place)
        tops = [0] * (posts + 1)
        for place in kept:
            tops[place] = tops[place + 1] = max(tops[place], tops[place + 1]) + 1
        return tops[1:]
