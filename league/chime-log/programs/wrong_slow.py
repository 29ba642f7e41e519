# Right, but goes from minute to minute.
from typing import List


class Solution:
    def countChimes(self, changes: List[List[int]], first: int, last: int, chimes: List[str]) -> List[int]:
        shifts, seen, counts, offset = dict(map(tuple, changes)), set(), [0] * 1440, 0
        for minute in range(last + 1):
            offset += shifts.get(minute, 0)
            now = minute + offset
            if now not in seen:
                seen.add(now)
                counts[now % 1440] += minute >= first
        return [counts[int(each[:2]) * 60 + int(each[3:])] for each in chimes]
