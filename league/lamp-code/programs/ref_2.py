from functools import lru_cache
from typing import List


class Solution:
    def translate(self, lamps: int, gap: int, queries: List[str]) -> List[str]:
        """A pattern stands at the place whose binary digits, each added to the one before it, are the pattern."""

        @lru_cache(None)
        def below(rest, since):
            """Patterns of `rest` more lamps, where the last lit one is `since` lamps ago."""
            if rest == 0:
                return 1
            total = below(rest - 1, min(since + 1, gap + 1))
            if since > gap:
                total += below(rest - 1, 1)
            return total

        def step(since, lit):
            if lit:
                return 1 if since > gap else None
            return min(since + 1, gap + 1)

        def number(pattern):
            digit, since, before = 0, gap + 1, 1
            for at, lamp in enumerate(pattern):
                lit = lamp == "1"
                previous, digit = digit, digit ^ lit
                if digit:  # all the places with a 0 here come before
                    other = step(since, previous)
                    if other is not None:
                        before += below(lamps - at - 1, other)
                since = step(since, lit)
                if since is None:
                    return "none"
            return str(before)

        def pattern(number):
            if number > below(lamps, gap + 1):
                return "none"
            digit, since, row = 0, gap + 1, []
            for rest in range(lamps - 1, -1, -1):
                other = step(since, digit)
                zeros = 0 if other is None else below(rest, other)
                new = number > zeros
                if new:
                    number -= zeros
                lit = new ^ digit
                since, digit = step(since, lit), int(new)
                row.append("01"[lit])
            return "".join(row)

        return [pattern(int(query[1:])) if query[0] == "#" else number(query) for query in queries]
