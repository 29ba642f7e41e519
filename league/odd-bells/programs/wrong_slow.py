# Right, but looks at every minute.
from typing import List


class Solution:
    def oddMinutes(self, bells: List[List[int]], first: int, last: int) -> int:
        return sum(
            sum(minute >= start and (minute - start) % period == 0 for start, period in bells) % 2
            for minute in range(first, last + 1)
        )
