# Right, but goes from day to day for each time.
from typing import List


class Solution:
    def countChimes(self, changes: List[List[int]], first: int, last: int, chimes: List[str]) -> List[int]:
        answers = []
        for each in chimes:
            time = int(each[:2]) * 60 + int(each[3:])
            seen, offset, count = set(), 0, 0
            stops = [minute for minute, _ in changes if minute <= last]
            shifts = [0] + [shift for _, shift in changes]
            for start, stop, shift in zip([0] + stops, stops + [last + 1], shifts):
                offset += shift
                now = start + (time - start - offset) % 1440
                while now < stop:
                    day = now + offset
                    if day not in seen:
                        seen.add(day)
                        count += now >= first
                    now += 1440
            answers.append(count)
        return answers
