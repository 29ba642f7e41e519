# Goes from minute to minute, of which there may be a million millions.
from typing import List


class Solution:
    def answerTimes(self, blasts: List[int], length: int, patience: int) -> List[int]:
        begun = [-1] * len(blasts)
        if not blasts:
            return begun
        at = {minute: number for number, minute in enumerate(blasts)}
        ends, remembered, minute = -1, -1, blasts[0]
        while minute <= blasts[-1] or remembered >= 0:
            if ends >= minute:
                remembered = at.get(minute, remembered)
            elif minute in at:
                begun[at[minute]], ends = minute, minute + length
            if ends == minute:
                if remembered >= 0 and minute - blasts[remembered] <= patience:
                    begun[remembered], ends = minute, minute + length
                else:
                    ends = -1
                remembered = -1
            minute += 1
        return begun
