# What is remembered is answered however old it is.
from bisect import bisect_right
from typing import List


class Solution:
    def answerTimes(self, blasts: List[int], length: int, patience: int) -> List[int]:
        begun = [-1] * len(blasts)
        number = 0
        while number < len(blasts):
            minute = blasts[number]
            while True:
                begun[number] = minute
                minute += length
                latest = bisect_right(blasts, minute) - 1
                if latest == number:
                    break
                number = latest
            number = latest + 1
        return begun
