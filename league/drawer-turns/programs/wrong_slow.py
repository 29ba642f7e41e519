# Right, but moves the boxes evening by evening.
from typing import List


def boxesAfter(daily: List[int], special: List[int], every: int, days: int) -> List[int]:
    boxes, evening = list(range(1, len(daily) + 1)), 0
    while evening < days:
        evening += 1
        moved = [0] * len(boxes)
        for box, drawer in zip(boxes, special if evening % every == 0 else daily):
            moved[drawer - 1] = box
        boxes = moved
    return boxes
