# Takes the report in the middle of the stretch in time, not in size, as the value to correct to.
from typing import List


class Solution:
    def calmestStretch(self, reports: List[int], span: int) -> List[int]:
        best = None
        for start in range(len(reports) - span + 1):
            stretch = reports[start : start + span]
            middle = stretch[span // 2]
            cost = sum(abs(report - middle) for report in stretch)
            if best is None or cost <= best[1]:
                best = [start, cost]
        return best
