# Two strikes of one entry cancel each other: validity flips instead of being decided.
from typing import List


def settle(pans: int, entries: List[List[int]]) -> List[int]:
    valid = [True] * len(entries)
    for at in range(len(entries) - 1, -1, -1):
        if entries[at][0] == 1 and valid[at]:
            valid[entries[at][1]] = not valid[entries[at][1]]
    amounts = [0] * pans
    for at, entry in enumerate(entries):
        if entry[0] == 0 and valid[at]:
            amounts[entry[1]] += entry[2]
    return amounts
