# Right, but walks through all patterns of the row, also those that are crossed out.
from typing import List


class Solution:
    def translate(self, lamps: int, gap: int, queries: List[str]) -> List[str]:
        wanted = {query for query in queries}
        answers, at = {}, 0
        close = range(1, gap + 1)
        for place in range(1 << lamps):
            row = place ^ place >> 1
            if any(row & row >> away for away in close):
                continue
            at += 1
            if f"#{at}" in wanted:
                answers[f"#{at}"] = format(row, f"0{lamps}b")
            if format(row, f"0{lamps}b") in wanted:
                answers[format(row, f"0{lamps}b")] = str(at)
        return [answers.get(query, "none") for query in queries]
