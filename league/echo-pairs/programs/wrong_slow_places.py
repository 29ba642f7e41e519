# Right, but goes through all earlier places of the same kind for every pulse.
from typing import List


def echo_pairs(pulses: List[str], gap: int) -> int:
    places, pairs = {}, 0
    for late, pulse in enumerate(pulses):
        kind = min(pulse[cut:] + pulse[:cut] for cut in range(len(pulse)))
        pairs += sum(late - early >= gap for early in places.setdefault(kind, []))
        places[kind].append(late)
    return pairs
