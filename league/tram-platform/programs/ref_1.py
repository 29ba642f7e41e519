from typing import List


class Solution:
    def longestQuiet(self, arrivals: List[str], stay: int) -> str:
        times = sorted({int(each[:2]) * 60 + int(each[3:]) for each in arrivals})
        best = (0, 0)
        for now, after in zip(times, times[1:] + [times[0] + 1440]):
            best = max(best, (after - now - stay, -((now + stay) % 1440)))
        length, first = best[0], -best[1]
        return f"{first // 60:02}:{first % 60:02} {length}" if length > 0 else "none"
