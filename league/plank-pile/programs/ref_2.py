# Per place, how many planks its neighbours held when each of its planks came: none came since if they still hold as many.
from typing import List


class Solution:
    def plankPile(self, posts: int, drops: List[int]) -> List[int]:
        held = [[] for _ in range(posts + 2)]
        for number, place in enumerate(drops):
            before, after = len(held[place - 1]), len(held[place + 1])
            if held[place] and held[place][-1][1:] == (before, after):
                held[place].pop()
            else:
                held[place].append((number, before, after))
        tops = [0] * (posts + 1)
        for _, place in sorted((plank[0], place) for place, planks in enumerate(held) for plank in planks):
            tops[place] = tops[place + 1] = max(tops[place], tops[place + 1]) + 1
        return tops[1:]
