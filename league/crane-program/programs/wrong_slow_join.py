# Right, but joins the effects of a repetition one after the other.
from typing import List


class Solution:
    def runCrane(self, places: int, program: str) -> List[int]:
        # An effect is (move, cleared, added): what is done to each place, counted from where the crane begins.
        nothing = (0, [False] * places, [0] * places)

        def then(first, second):
            move, cleared, added = first
            turn = places - move  # place p of the first is place p + turn of the second
            more, clears, adds = second
            clears = clears[turn:] + clears[:turn]
            adds = adds[turn:] + adds[:turn]
            return (
                (move + more) % places,
                [a or b for a, b in zip(cleared, clears)],
                [b if clear else a + b for a, b, clear in zip(added, adds, clears)],
            )

        def times(effect, count):
            result = nothing
            for _ in range(count):
                result = then(result, effect)
            return result

        def mirrored(effect):
            move, cleared, added = effect
            return -move % places, cleared[:1] + cleared[:0:-1], added[:1] + added[:0:-1]

        single = {
            "R": (1 % places, *nothing[1:]),
            "L": (-1 % places, *nothing[1:]),
            "D": (0, nothing[1], [1] + [0] * (places - 1)),
            "X": (0, [True] + [False] * (places - 1), nothing[2]),
        }
        stack, now, number = [], nothing, ""
        for letter in program:
            if letter == "(":
                stack.append((now, number))
                now, number = nothing, ""
            elif letter == ")":
                before, count = stack.pop()
                now = then(before, mirrored(now) if count == "~" else times(now, int(count)))
            elif letter in single:
                now = then(now, single[letter])
            else:
                number += letter
        move, _, piles = now
        highest = max(piles)
        return [move, highest, piles.index(highest)]
