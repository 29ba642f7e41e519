# Right, but checks every rule after every move.
from typing import List


def refusedMoves(levers: int, needs: List[List[int]], bars: List[List[int]], moves: List[int]) -> List[int]:
    pulled, refused = [False] * (levers + 1), []
    for number, x in enumerate(moves, 1):
        pulled[x] = not pulled[x]
        broken = 0
        for a, b in needs:
            broken += pulled[a] and not pulled[b]
        for a, b in bars:
            broken += pulled[a] and pulled[b]
        if broken:
            pulled[x] = not pulled[x]
            refused.append(number)
    return refused
