# Numbers the moves from 0.
from typing import List


def refusedMoves(levers: int, needs: List[List[int]], bars: List[List[int]], moves: List[int]) -> List[int]:
    wants = [set() for _ in range(levers + 1)]
    wanted_by = [set() for _ in range(levers + 1)]
    against = [set() for _ in range(levers + 1)]
    for a, b in needs:
        wants[a].add(b)
        wanted_by[b].add(a)
    for a, b in bars:
        against[a].add(b)
        against[b].add(a)
    pulled, refused = set(), []
    for number, x in enumerate(moves):
        if x in pulled:
            if wanted_by[x].isdisjoint(pulled):
                pulled.remove(x)
            else:
                refused.append(number)
        elif wants[x] <= pulled and against[x].isdisjoint(pulled):
            pulled.add(x)
        else:
            refused.append(number)
    return refused
