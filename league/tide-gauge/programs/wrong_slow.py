# Right, but looks back from every hour for the reading that decided its state: quadratic in a calm.
from typing import List


class Solution:
    def tideAlarms(self, levels: List[int], low: int, high: int) -> List[int]:
        states = []
        for hour in range(len(levels)):
            back = hour
            while back >= 0 and low < levels[back] < high:
                back -= 1
            states.append(back >= 0 and levels[back] >= high)
        switched = longest = current = 0
        for state in states:
            if state and current == 0:
                switched += 1
            current = current + 1 if state else 0
            longest = max(longest, current)
        return [switched, longest]
