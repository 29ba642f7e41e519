# Right, but brings the whole chain below an entry up to date each time it is struck: quadratic.
from typing import List


def settle(pans: int, entries: List[List[int]]) -> List[int]:
    strikers = [0] * len(entries)  # valid strikers of each entry
    for entry in entries:
        change = 1
        while entry[0] == 1:
            target = entry[1]
            before = strikers[target] == 0
            strikers[target] += change
            after = strikers[target] == 0
            if before == after:
                break
            change = 1 if after else -1
            entry = entries[target]
    amounts = [0] * pans
    for at, entry in enumerate(entries):
        if entry[0] == 0 and strikers[at] == 0:
            amounts[entry[1]] += entry[2]
    return amounts
