# Right, but looks for the evening after which all boxes lie as at first, round by round.
from typing import List


def boxesAfter(daily: List[int], special: List[int], every: int, days: int) -> List[int]:
    start = list(range(1, len(daily) + 1))
    boxes, evening, period = start, 0, 0
    while evening < days:
        evening += 1
        moved = [0] * len(boxes)
        for box, drawer in zip(boxes, special if evening % every == 0 else daily):
            moved[drawer - 1] = box
        boxes = moved
        if not period and evening % every == 0 and boxes == start:
            period = evening
            days = evening + (days - evening) % period
    return boxes
