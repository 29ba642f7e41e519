from typing import List


def settle(pans: int, entries: List[List[int]]) -> List[int]:
    # Read backwards: whatever could strike an entry out has been decided before it.
    struck = [False] * len(entries)
    amounts = [0] * pans
    for at in range(len(entries) - 1, -1, -1):
        if not struck[at]:
            kind, *rest = entries[at]
            if kind == 1:
                struck[rest[0]] = True
            else:
                amounts[rest[0]] += rest[1]
    return amounts
