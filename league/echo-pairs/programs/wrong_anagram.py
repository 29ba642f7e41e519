# Takes every rearrangement of the letters for a rotation.
from collections import Counter
from typing import List


def echo_pairs(pulses: List[str], gap: int) -> int:
    kinds = ["".join(sorted(pulse)) for pulse in pulses]
    heard = Counter()
    pairs = 0
    for early, late in zip(kinds, kinds[gap:]):
        heard[early] += 1
        pairs += heard[late]
    return pairs
