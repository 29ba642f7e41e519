# Right, but sorts every stretch from scratch.
from typing import List


class Solution:
    def calmestStretch(self, reports: List[int], span: int) -> List[int]:
        half = span // 2
        best = None
        for start in range(len(reports) - span + 1):
            stretch = sorted(reports[start : start + span])
            cost = sum(stretch[span - half :]) - sum(stretch[:half])
            if best is None or cost <= best[1]:
                best = [start, cost]
        return best
