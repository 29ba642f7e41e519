# Wants more than `gap` positions between the two pulses.
from collections import Counter
from typing import List


def echo_pairs(pulses: List[str], gap: int) -> int:
    kinds = [min(pulse[cut:] + pulse[:cut] for cut in range(len(pulse))) for pulse in pulses]
    heard = Counter()
    pairs = 0
    for early, late in zip(kinds, kinds[gap + 1 :]):
        heard[early] += 1
        pairs += heard[late]
    return pairs
