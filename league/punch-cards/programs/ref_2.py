from typing import List


class Solution:
    def brightPairs(self, cards: List[int], width: int, least: int) -> int:
        """Sets of punched places, compared as sets."""
        places = [{place for place in range(width) if card >> place & 1} for card in cards]
        mirrored = [{width - 1 - place for place in each} for each in places]
        return sum(
            max(len(places[one] & places[two]), len(places[one] & mirrored[two])) >= least
            for two in range(len(cards))
            for one in range(two)
        )
