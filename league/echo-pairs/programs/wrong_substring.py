# Looks a word up in the doubled word without comparing the lengths.
from typing import List


def echo_pairs(pulses: List[str], gap: int) -> int:
    pairs = 0
    for late in range(gap, len(pulses)):
        for early in range(late - gap + 1):
            if pulses[late] in pulses[early] * 2:
                pairs += 1
    return pairs
