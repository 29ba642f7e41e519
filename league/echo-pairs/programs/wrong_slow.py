# Right, but compares every pulse with every other one.
from typing import List


def echo_pairs(pulses: List[str], gap: int) -> int:
    pairs = 0
    for late in range(gap, len(pulses)):
        pulse = pulses[late]
        for early in range(late - gap + 1):
            other = pulses[early]
            if len(other) == len(pulse) and pulse in other + other:
                pairs += 1
    return pairs
