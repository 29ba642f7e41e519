# Restores what a struck strike had struck, but one step deep only.
from typing import List


def settle(pans: int, entries: List[List[int]]) -> List[int]:
    struck = [False] * len(entries)
    for entry in entries:
        if entry[0] == 1:
            struck[entry[1]] = True
            target = entries[entry[1]]
            if target[0] == 1:
                struck[target[1]] = False
    amounts = [0] * pans
    for at, entry in enumerate(entries):
        if entry[0] == 0 and not struck[at]:
            amounts[entry[1]] += entry[2]
    return amounts
