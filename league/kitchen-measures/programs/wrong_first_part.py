# Scales only the first part of an amount.
from fractions import Fraction
from typing import List

SPOONS = {"cup": 48, "tbsp": 3, "tsp": 1}


class Solution:
    def scaleRecipe(self, amounts: List[str], numerator: int, denominator: int) -> List[str]:
        results = []
        for amount in amounts:
            total = Fraction(0)
            for part in amount.split(" + ")[:1]:
                *numbers, unit = part.split(" ")
                total += sum(map(Fraction, numbers)) * SPOONS[unit]
            total *= Fraction(numerator, denominator)
            cups, rest = divmod(total, 48)
            spoons, rest = divmod(rest, 3)
            parts = [f"{number} {unit}" for number, unit in ((cups, "cup"), (spoons, "tbsp")) if number]
            if rest:
                whole, fraction = divmod(rest, 1)
                parts.append(" ".join(str(each) for each in (whole, fraction) if each) + " tsp")
            results.append(" + ".join(parts))
        return results
