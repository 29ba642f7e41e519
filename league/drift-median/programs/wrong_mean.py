# Corrects to the rounded mean instead of the median.
from typing import List


class Solution:
    def calmestStretch(self, reports: List[int], span: int) -> List[int]:
        best = None
        for start in range(len(reports) - span + 1):
            stretch = reports[start : start + span]
            mean = round(sum(stretch) / span)
            cost = sum(abs(report - mean) for report in stretch)
            if best is None or cost <= best[1]:
                best = [start, cost]
        return best
