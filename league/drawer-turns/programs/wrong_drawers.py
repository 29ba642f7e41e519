# Returns the drawer of each box instead of the box of each drawer.
from typing import List


def power(moves, times):
    """Where each drawer's box lies after that many times."""
    result = [-1] * len(moves)
    for start in range(len(moves)):
        if result[start] < 0:
            cycle, at = [], start
            while not cycle or at != start:
                cycle.append(at)
                at = moves[at]
            for place, drawer in enumerate(cycle):
                result[drawer] = cycle[(place + times) % len(cycle)]
    return result


def boxesAfter(daily: List[int], special: List[int], every: int, days: int) -> List[int]:
    daily, special = [drawer - 1 for drawer in daily], [drawer - 1 for drawer in special]
    rounds, rest = divmod(days, every)
    once = [special[drawer] for drawer in power(daily, every - 1)]
    last = power(daily, rest)
    boxes = [0] * len(daily)
    for box, drawer in enumerate(power(once, rounds), 1):
        boxes[box - 1] = last[drawer] + 1
    return boxes
