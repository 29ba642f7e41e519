# Turns a card over without the unpunched places on its left.
from typing import List


class Solution:
    def brightPairs(self, cards: List[int], width: int, least: int) -> int:
        # Turning over both changes nothing, so it is enough to turn over one of them.
        turned = [int(format(card, "b")[::-1], 2) for card in cards]
        pairs = 0
        for at, card in enumerate(cards):
            for other in range(at):
                if bin(card & cards[other]).count("1") >= least or bin(card & turned[other]).count("1") >= least:
                    pairs += 1
        return pairs
