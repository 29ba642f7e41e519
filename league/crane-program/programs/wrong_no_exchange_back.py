# Forgets that an exchange within an exchange changes back.
from math import gcd
from typing import List


class Solution:
    def runCrane(self, places: int, program: str) -> List[int]:
        """Reads the program with the exchanges carried along; a repetition is summed over the ring that its moves form."""

        def read(at, sign):
            """The move, the effects {offset: (cleared, added)}, and where the part ends."""
            move, effects = 0, {}
            while at < len(program) and program[at] != ")":
                letter = program[at]
                at += 1
                if letter == "R":
                    move = (move + sign) % places
                elif letter == "L":
                    move = (move - sign) % places
                elif letter == "D":
                    cleared, added = effects.get(move, (False, 0))
                    effects[move] = cleared, added + 1
                elif letter == "X":
                    effects[move] = True, 0
                else:
                    count = 0
                    while letter.isdigit():
                        count = count * 10 + int(letter)
                        letter = program[at]
                        at += 1
                    if letter == "~":
                        at += 1
                        inner, inside, at = read(at, -1)
                        count = 1
                    else:
                        inner, inside, at = read(at, sign)
                    at += 1
                    for offset, (clear, add) in repeated(inner, inside, count).items():
                        place = (move + offset) % places
                        cleared, added = effects.get(place, (False, 0))
                        effects[place] = (True, add) if clear else (cleared, added + add)
                    move = (move + inner * count) % places
            return move, effects, at

        def repeated(move, effects, count):
            if count == 1:
                return effects
            ring = places // gcd(move, places)
            whole, rest = divmod(count, ring)
            result = {}
            for place in range(places):
                # Run number i does to this place what a first run does to the place i moves before it.
                cleared = False
                total = tail = 0  # what is added in a whole round; what is there after the rest of a round
                here = []
                for run in range(ring):
                    step = effects.get((place - run * move) % places)
                    if step:
                        here.append((run, *step))
                if not here:
                    continue
                last_clear = max((at for at, step in enumerate(here) if step[1]), default=None)
                if last_clear is None:
                    total = sum(step[2] for step in here)
                    tail = sum(step[2] for step in here if step[0] < rest)
                    result[place] = (False, whole * total + tail)
                    continue
                after_round = sum(step[2] for step in here[last_clear:])
                level = after_round if whole else 0
                cleared = whole > 0
                for run, clear, add in here:
                    if run < rest:
                        cleared = cleared or clear
                        level = add if clear else level + add
                result[place] = (cleared, level)
            return result

        move, effects, _ = read(0, 1)
        piles = [effects.get(place, (False, 0))[1] for place in range(places)]
        return [move, max(piles), piles.index(max(piles))]
