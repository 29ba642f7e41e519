# Right, but writes every branch out as a text, letter by letter.
from typing import List


class Solution:
    def mirrorPairs(self, parents: List[int], kinds: str) -> int:
        count = len(parents)
        children = [[] for _ in parents]
        for polyp in range(1, count):
            children[parents[polyp]].append(polyp)

        def text(polyp, turn):
            letters, todo = [], [polyp]
            while todo:
                each = todo.pop()
                if each < 0:
                    letters.append(")")
                    continue
                letters.append(kinds[each] + "(")
                todo.append(-1)
                todo += children[each][::turn]
            return "".join(letters)

        seen, pairs = {}, 0
        for polyp in range(count):
            pairs += seen.get(hash(text(polyp, 1)), 0)
            own = hash(text(polyp, -1))
            seen[own] = seen.get(own, 0) + 1
        return pairs
