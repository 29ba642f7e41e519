from typing import List


def settle(pans: int, entries: List[List[int]]) -> List[int]:
    # An entry waits for all its strikers, as in a topological order that starts from unstruck entries.
    size = len(entries)
    undecided = [0] * size
    for entry in entries:
        if entry[0] == 1:
            undecided[entry[1]] += 1
    valid = [True] * size
    ready = [at for at in range(size) if undecided[at] == 0]
    amounts = [0] * pans
    while ready:
        at = ready.pop()
        entry = entries[at]
        if entry[0] == 1:
            target = entry[1]
            if valid[at]:
                valid[target] = False
            undecided[target] -= 1
            if undecided[target] == 0:
                ready.append(target)
        elif valid[at]:
            amounts[entry[1]] += entry[2]
    return amounts
