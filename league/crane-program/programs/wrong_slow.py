# Right, but runs every repetition step by step.
from typing import List


class Solution:
    def runCrane(self, places: int, program: str) -> List[int]:
        closing, stack = {}, []
        for at, letter in enumerate(program):
            if letter == "(":
                stack.append(at)
            elif letter == ")":
                closing[stack.pop()] = at
        piles, crane = [0] * places, 0

        def run(at, end, sign):
            nonlocal crane
            while at < end:
                letter = program[at]
                if letter in "LR":
                    crane = (crane + (sign if letter == "R" else -sign)) % places
                elif letter == "D":
                    piles[crane] += 1
                elif letter == "X":
                    piles[crane] = 0
                else:
                    opening = program.index("(", at)
                    count = program[at:opening]
                    for _ in range(1 if count == "~" else int(count)):
                        run(opening + 1, closing[opening], -sign if count == "~" else sign)
                    at = closing[opening]
                at += 1

        run(0, len(program), 1)
        highest = max(piles)
        return [crane, highest, piles.index(highest)]
