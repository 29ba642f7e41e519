# Wants less than the span of minutes to have passed.
from typing import List


def clipTickets(rides: List[List[int]], fields: int, span: int) -> List[int]:
    bought = free = wasted = left = 0
    clipped = before = None
    for minute, line, direction in rides:
        back = before == (line, 1 - direction)
        before = (line, direction)
        if clipped is not None and minute - clipped < span and not back:
            free += 1
            continue
        needed = 2 if minute % 1440 >= 1380 or minute % 1440 < 300 else 1
        if left < needed:
            wasted += left
            bought += 1
            left = fields
        left -= needed
        clipped = minute
    return [bought, free, wasted]
