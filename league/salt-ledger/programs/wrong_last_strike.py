# Looks only at the last of the entries that strike an entry out.
from typing import List


def settle(pans: int, entries: List[List[int]]) -> List[int]:
    striker = {}
    for at, entry in enumerate(entries):
        if entry[0] == 1:
            striker[entry[1]] = at
    valid = [True] * len(entries)
    amounts = [0] * pans
    for at in range(len(entries) - 1, -1, -1):
        valid[at] = at not in striker or not valid[striker[at]]
        if valid[at] and entries[at][0] == 0:
            amounts[entries[at][1]] += entries[at][2]
    return amounts
