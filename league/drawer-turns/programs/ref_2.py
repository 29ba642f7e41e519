# Goes back in time: from which drawer did the box of each drawer come, by squaring.
from typing import List


def back(moves, times):
    """From which drawer the box in each drawer came, that many times ago."""
    step = [0] * len(moves)
    for drawer, to in enumerate(moves):
        step[to] = drawer
    result = list(range(len(moves)))
    while times:
        if times & 1:
            result = [step[drawer] for drawer in result]
        step = [step[drawer] for drawer in step]
        times >>= 1
    return result


def boxesAfter(daily: List[int], special: List[int], every: int, days: int) -> List[int]:
    ordinary = [drawer - 1 for drawer in daily]
    came = back([drawer - 1 for drawer in special], 1)
    before = back(ordinary, every - 1)
    whole = [before[drawer] for drawer in came]  # one round back
    forth = [0] * len(whole)
    for drawer, old in enumerate(whole):
        forth[old] = drawer
    rounds = back(forth, days // every)
    return [rounds[drawer] + 1 for drawer in back(ordinary, days % every)]
