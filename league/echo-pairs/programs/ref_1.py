from collections import Counter
from typing import List


def echo_pairs(pulses: List[str], gap: int) -> int:
    # Every pulse goes by the first of its rotations; a pulse is counted once it lies `gap` back.
    smallest = {pulse: min(pulse[cut:] + pulse[:cut] for cut in range(len(pulse))) for pulse in set(pulses)}
    kinds = [smallest[pulse] for pulse in pulses]
    heard = Counter()
    pairs = 0
    for early, late in zip(kinds, kinds[gap:]):
        heard[early] += 1
        pairs += heard[late]
    return pairs
