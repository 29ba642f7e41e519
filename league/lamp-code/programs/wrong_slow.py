# Right, but makes the list.
from typing import List


class Solution:
    def translate(self, lamps: int, gap: int, queries: List[str]) -> List[str]:
        rows = [[""]]
        for k in range(1, lamps + 1):
            rest = min(k - 1, gap)
            lit = ["1" + "0" * rest + row for row in reversed(rows[k - 1 - rest])]
            if gap >= k - 1:
                lit = ["1" + "0" * (k - 1)]
            rows.append(["0" + row for row in rows[-1]] + lit)
        places = {row: str(at) for at, row in enumerate(rows[-1], 1)}
        answers = []
        for query in queries:
            if query[0] == "#":
                at = int(query[1:])
                answers.append(rows[-1][at - 1] if at <= len(places) else "none")
            else:
                answers.append(places.get(query, "none"))
        return answers
