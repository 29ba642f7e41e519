# Right, but looks through all rules for those of the lever, and through a list for what is pulled.
from typing import List


def refusedMoves(levers: int, needs: List[List[int]], bars: List[List[int]], moves: List[int]) -> List[int]:
    pulled, refused = [], []
    for number, x in enumerate(moves, 1):
        if x in pulled:
            bad = [a for a, b in needs if b == x and a in pulled]
        else:
            bad = [b for a, b in needs if a == x and b not in pulled]
            bad += [a for a, b in bars + [[b, a] for a, b in bars] if b == x and a in pulled]
        if bad:
            refused.append(number)
        elif x in pulled:
            pulled.remove(x)
        else:
            pulled.append(x)
    return refused
