# Positions are the bits of a number.
from typing import List


def refusedMoves(levers: int, needs: List[List[int]], bars: List[List[int]], moves: List[int]) -> List[int]:
    must, holds, never = [0] * (levers + 1), [0] * (levers + 1), [0] * (levers + 1)
    for a, b in needs:
        must[a] |= 1 << b
        holds[b] |= 1 << a
    for a, b in bars:
        never[a] |= 1 << b
        never[b] |= 1 << a
    position, refused = 0, []
    for number, x in enumerate(moves, 1):
        if position >> x & 1:
            stuck = position & holds[x]
        else:
            stuck = must[x] & ~position | never[x] & position
        if stuck:
            refused.append(number)
        else:
            position ^= 1 << x
    return refused
