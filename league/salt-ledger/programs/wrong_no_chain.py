# A strike always counts, even when it was struck out itself.
from typing import List


def settle(pans: int, entries: List[List[int]]) -> List[int]:
    struck = {entry[1] for entry in entries if entry[0] == 1}
    amounts = [0] * pans
    for at, entry in enumerate(entries):
        if entry[0] == 0 and at not in struck:
            amounts[entry[1]] += entry[2]
    return amounts
