from typing import List


class Solution:
    def answerTimes(self, blasts: List[int], length: int, patience: int) -> List[int]:
        begun = [-1] * len(blasts)
        ends = at = 0
        while at < len(blasts):
            while at + 1 < len(blasts) and blasts[at + 1] <= ends:
                at += 1
            minute = max(ends, blasts[at])
            if minute <= blasts[at] + patience:
                begun[at] = minute
                ends = minute + length
            at += 1
        return begun
