# Takes the stretch whose greatest and smallest report differ least.
from typing import List


class Solution:
    def calmestStretch(self, reports: List[int], span: int) -> List[int]:
        best, least = 0, None
        for start in range(len(reports) - span + 1):
            stretch = reports[start : start + span]
            spread = max(stretch) - min(stretch)
            if least is None or spread <= least:
                best, least = start, spread
        stretch = sorted(reports[best : best + span])
        return [best, sum(abs(each - stretch[span // 2]) for each in stretch)]
