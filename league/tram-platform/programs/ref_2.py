from typing import List


class Solution:
    def longestQuiet(self, arrivals: List[str], stay: int) -> str:
        """Marks the minutes of a day, and looks at the stretches that are left of two days."""
        quiet = [True] * 1440
        for each in arrivals:
            hour, minute = map(int, each.split(":"))
            for at in range(hour * 60 + minute, hour * 60 + minute + stay):
                quiet[at % 1440] = False
        longest, first, run = 0, 0, 0
        lengths = {}
        for at in range(2880):
            run = run + 1 if quiet[at % 1440] else 0
            if run:
                start = (at - run + 1) % 1440
                lengths[start] = max(lengths.get(start, 0), run)
        for start in sorted(lengths):
            if not quiet[start - 1] and lengths[start] > longest:
                longest, first = lengths[start], start
        return "%02d:%02d %d" % (first // 60, first % 60, longest) if longest else "none"
