# Takes a pulse read backwards for an echo, too.
from collections import Counter
from typing import List


def echo_pairs(pulses: List[str], gap: int) -> int:
    def kind(pulse):
        turned = [pulse[cut:] + pulse[:cut] for cut in range(len(pulse))]
        return min(turned + [each[::-1] for each in turned])

    kinds = [kind(pulse) for pulse in pulses]
    heard, pairs = Counter(), 0
    for early, late in zip(kinds, kinds[gap:]):
        heard[early] += 1
        pairs += heard[late]
    return pairs
