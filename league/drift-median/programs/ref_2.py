import heapq
from typing import List


class Solution:
    def calmestStretch(self, reports: List[int], span: int) -> List[int]:
        # Two heaps that meet at the median. Reports that left the stretch stay in their heap until they come to its
        # top; sizes and sums count only those that are still in the stretch.
        low, high = [], []  # (-value, -position) and (value, position)
        in_low = [False] * len(reports)
        size_low = sum_low = sum_high = 0
        lower = (span + 1) // 2
        start, least = 0, None
        for at, new in enumerate(reports):
            first = at - span + 1
            if first > 0:
                out = reports[first - 1]
                if in_low[first - 1]:
                    size_low -= 1
                    sum_low -= out
                else:
                    sum_high -= out
            while low and -low[0][1] < first:
                heapq.heappop(low)
            if low and new < -low[0][0]:
                heapq.heappush(low, (-new, -at))
                in_low[at] = True
                size_low += 1
                sum_low += new
            else:
                heapq.heappush(high, (new, at))
                sum_high += new
            wanted = min(lower, at + 1)
            while size_low < wanted:
                value, place = heapq.heappop(high)
                if place >= first:
                    heapq.heappush(low, (-value, -place))
                    in_low[place] = True
                    size_low += 1
                    sum_low += value
                    sum_high -= value
            while size_low > wanted:
                value, place = heapq.heappop(low)
                if -place >= first:
                    heapq.heappush(high, (-value, -place))
                    in_low[-place] = False
                    size_low -= 1
                    sum_low += value
                    sum_high -= value
            if first >= 0:
                while -low[0][1] < first:
                    heapq.heappop(low)
                cost = sum_high - sum_low - low[0][0] * (2 * lower - span)
                if least is None or cost <= least:
                    start, least = first, cost
        return [start, least]
