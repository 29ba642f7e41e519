# Forgets what was shown at minute 0.
from bisect import bisect_left, bisect_right
from typing import List


class Solution:
    def countChimes(self, changes: List[List[int]], first: int, last: int, chimes: List[str]) -> List[int]:
        """Goes through the stretches between changes in order, and keeps what has been shown as disjoint stretches."""
        lows, highs = [], []  # shown from lows[i] to highs[i], the latter excluded
        fresh = []  # what was shown for the first time from `first` to `last`

        def show(low, high, counts):
            at, to = bisect_left(highs, low), bisect_right(lows, high)
            if counts:
                place = low
                for a, b in zip(lows[at:to], highs[at:to]):
                    if place < a:
                        fresh.append((place, a))
                    place = max(place, b)
                if place < high:
                    fresh.append((place, high))
            if at < to:
                low, high = min(low, lows[at]), max(high, highs[to - 1])
            lows[at:to], highs[at:to] = [low], [high]

        borders = sorted({1, first, last + 1, *(minute for minute, _ in changes if minute <= last)})
        shifts, offset = dict(map(tuple, changes)), 0
        for start, stop in zip(borders, borders[1:]):
            offset += shifts.get(start, 0)
            show(start + offset, stop + offset, start >= first)
        days, edges = 0, []
        for low, high in fresh:
            # Minutes at a time of the day up to a bound: whole days and one more for the times before the rest.
            days += high // 1440 - low // 1440
            edges.append((high % 1440, low % 1440))
        ends, starts = sorted(end for end, _ in edges), sorted(start for _, start in edges)
        answers = []
        for each in chimes:
            hour, minute = each.split(":")
            time = int(hour) * 60 + int(minute)
            more = len(ends) - bisect_right(ends, time)
            less = len(starts) - bisect_right(starts, time)
            answers.append(days + more - less)
        return answers
