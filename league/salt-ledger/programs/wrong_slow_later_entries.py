# Right, but looks through all later entries for those that strike an entry out.
from typing import List


def settle(pans: int, entries: List[List[int]]) -> List[int]:
    valid = [True] * len(entries)
    amounts = [0] * pans
    for at in range(len(entries) - 1, -1, -1):
        strike = [1, at]
        for later in range(at + 1, len(entries)):
            if valid[later] and entries[later] == strike:
                valid[at] = False
                break
        if valid[at] and entries[at][0] == 0:
            amounts[entries[at][1]] += entries[at][2]
    return amounts
