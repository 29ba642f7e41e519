# The blasts before the latest are not forgotten: the keeper goes back to them.
from typing import List


class Solution:
    def answerTimes(self, blasts: List[int], length: int, patience: int) -> List[int]:
        begun = [-1] * len(blasts)
        waiting, minute = [], 0
        number = 0
        while number < len(blasts) or waiting:
            while number < len(blasts) and blasts[number] <= minute:
                waiting.append(number)
                number += 1
            if waiting:
                last = waiting.pop()
                if minute - blasts[last] > patience:
                    waiting.clear()
                    continue
            elif number < len(blasts):
                last = number
                number += 1
                minute = blasts[last]
            else:
                break
            begun[last] = minute
            minute += length
        return begun
