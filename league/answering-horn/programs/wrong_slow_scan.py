# Looks through all blasts for each answer: quadratic.
from typing import List


class Solution:
    def answerTimes(self, blasts: List[int], length: int, patience: int) -> List[int]:
        begun = [-1] * len(blasts)
        ends, answered = 0, -1
        while True:
            heard = [number for number, minute in enumerate(blasts) if minute <= ends]
            if heard and heard[-1] > answered and ends - blasts[heard[-1]] <= patience:
                answered = heard[-1]
                begun[answered] = ends
            else:
                rest = [number for number, minute in enumerate(blasts) if minute > ends]
                if not rest:
                    return begun
                answered = rest[0]
                ends = begun[answered] = blasts[answered]
            ends += length
