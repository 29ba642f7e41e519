import bisect
from typing import List


class Solution:
    def calmestStretch(self, reports: List[int], span: int) -> List[int]:
        # The stretch is kept sorted, with its sum and the sum of its lower half; the middle report is a best choice.
        lower = (span + 1) // 2
        window = sorted(reports[:span])
        total, low = sum(window), sum(window[:lower])
        start, least = 0, total - 2 * low + window[lower - 1] * (2 * lower - span)
        for at in range(span, len(reports)):
            out, new = reports[at - span], reports[at]
            place = bisect.bisect_left(window, new)
            if place < lower:
                low += new - window[lower - 1]
            window.insert(place, new)
            place = bisect.bisect_left(window, out)
            if place < lower:
                low += window[lower] - out
            del window[place]
            total += new - out
            cost = total - 2 * low + window[lower - 1] * (2 * lower - span)
            if cost <= least:
                start, least = at - span + 1, cost
        return [start, least]
