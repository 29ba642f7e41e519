# The first blast that may still be answered is remembered, not the latest.
from typing import List


class Solution:
    def answerTimes(self, blasts: List[int], length: int, patience: int) -> List[int]:
        begun = [-1] * len(blasts)
        number, minute = 0, 0
        while number < len(blasts):
            minute = max(minute, blasts[number])
            if minute - blasts[number] <= patience:
                begun[number] = minute
                minute += length
                following = number + 1
                while following < len(blasts) and blasts[following] <= minute and minute - blasts[following] > patience:
                    following += 1
                number = following
            else:
                number += 1
        return begun
