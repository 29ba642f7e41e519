# Numbers the patterns from 0 when it is asked for a number.
from typing import List


class Solution:
    def translate(self, lamps: int, gap: int, queries: List[str]) -> List[str]:
        # ways[k]: patterns of k lamps; rows shorter than none count as empty.
        ways = [1]
        for k in range(1, lamps + 1):
            ways.append(ways[-1] + ways[max(k - 1 - gap, 0)])

        def number(pattern):
            ones = [at for at, lamp in enumerate(pattern) if lamp == "1"]
            if any(after - before <= gap for before, after in zip(ones, ones[1:])):
                return "none"
            result, back, last = 0, False, -gap - 1
            for at, lamp in enumerate(pattern):
                if at - last <= gap:
                    continue
                rest = lamps - at - 1
                if lamp == "1":
                    result += 0 if back else ways[rest]
                    back, last = not back, at
                elif back:
                    result += ways[max(rest - gap, 0)]
            return str(result)

        def pattern(number):
            if number > ways[lamps]:
                return "none"
            row, back = "", False
            while len(row) < lamps:
                rest = lamps - len(row) - 1
                dark, lit = ways[rest], ways[max(rest - gap, 0)]
                first = lit if back else dark
                if (number <= first) == back:
                    number -= 0 if back else dark
                    row, back = row + "1" + "0" * min(gap, rest), not back
                else:
                    number -= lit if back else 0
                    row += "0"
            return row

        return [pattern(int(query[1:])) if query[0] == "#" else number(query) for query in queries]
