# Rings again for times that were shown before.
from itertools import accumulate
from typing import List

DAY = 1440


class Solution:
    def countChimes(self, changes: List[List[int]], first: int, last: int, chimes: List[str]) -> List[int]:
        def shown(end):
            """How many days have been shown each minute of the day, before the minute `end`."""
            spans, start, offset = [], 0, 0
            for minute, shift in [*changes, [end, 0]]:
                stop = min(minute, end)
                if start < stop:
                    spans.append((start + offset, stop + offset))
                start, offset = stop, offset + shift
            spans.sort()
            steps, whole, reach = [0] * (DAY + 1), 0, None
            for low, high in spans:
                if low >= high:
                    continue
                reach = high
                whole += (high - low) // DAY
                low, high = low % DAY, low % DAY + (high - low) % DAY
                steps[low] += 1
                steps[min(high, DAY)] -= 1
                if high > DAY:
                    steps[0] += 1
                    steps[high - DAY] -= 1
            return [whole + more for more in accumulate(steps)]

        before, after = shown(first), shown(last + 1)
        times = [int(each[:2]) * 60 + int(each[3:]) for each in chimes]
        return [after[time] - before[time] for time in times]
