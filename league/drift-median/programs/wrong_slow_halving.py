# Right, but narrows the number to correct to down for every stretch, and adds all costs up at each step.
from typing import List


class Solution:
    def calmestStretch(self, reports: List[int], span: int) -> List[int]:
        best = [0, 10**18]
        for start in range(len(reports) - span + 1):
            stretch = reports[start : start + span]
            low, high = min(stretch), max(stretch)
            while low < high:
                middle = (low + high) // 2
                if sum(each <= middle for each in stretch) * 2 >= span:
                    high = middle
                else:
                    low = middle + 1
            cost = sum(abs(each - low) for each in stretch)
            if cost <= best[1]:
                best = [start, cost]
        return best
