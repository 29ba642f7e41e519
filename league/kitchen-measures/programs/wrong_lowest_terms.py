# Leaves the fraction of a teaspoon as it comes out.
import re
from math import gcd
from typing import List


class Solution:
    def scaleRecipe(self, amounts: List[str], numerator: int, denominator: int) -> List[str]:
        """Counts in whole shares of a teaspoon, small enough for every fraction of an amount."""
        results = []
        for amount in amounts:
            shares = denominator
            for below in re.findall(r"/(\d+)", amount):
                shares *= int(below)
            total = 0
            for part in amount.split(" + "):
                value = 0
                for word in part.split():
                    if word.isdigit():
                        value += int(word) * shares
                    elif "/" in word:
                        above, below = map(int, word.split("/"))
                        value += above * (shares // below)
                    else:
                        value *= 48 if word == "cup" else 3 if word == "tbsp" else 1
                total += value
            total = total * numerator // denominator
            whole, rest = divmod(total, shares)
            parts = []
            if whole // 48:
                parts.append(f"{whole // 48} cup")
            if whole % 48 // 3:
                parts.append(f"{whole % 48 // 3} tbsp")
            if whole % 3 or rest:
                words = [str(whole % 3)] if whole % 3 else []
                if rest:
                    words.append(f"{rest}/{shares}")
                parts.append(" ".join([*words, "tsp"]))
            results.append(" + ".join(parts))
        return results
