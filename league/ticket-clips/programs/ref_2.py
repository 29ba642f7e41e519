# First the rides that are clipped, as needs of 1 or 2 fields; then the strips they fill.
from typing import List


def clipTickets(rides: List[List[int]], fields: int, span: int) -> List[int]:
    needs, last = [], -(10**6)
    for number, (minute, line, direction) in enumerate(rides):
        back = number > 0 and rides[number - 1][1] == line and rides[number - 1][2] != direction
        if back or minute > last + span:
            needs.append(1 + ((minute + 60) % 1440 < 360))
            last = minute
    strips = []
    for need in needs:
        if not strips or sum(strips[-1]) + need > fields:
            strips.append([])
        strips[-1].append(need)
    return [len(strips), len(rides) - len(needs), sum(fields - sum(strip) for strip in strips[:-1])]
