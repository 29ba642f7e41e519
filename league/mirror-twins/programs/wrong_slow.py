# Right, but compares every two branches of the same size.
from typing import List


class Solution:
    def mirrorPairs(self, parents: List[int], kinds: str) -> int:
        count = len(parents)
        children, sizes = [[] for _ in parents], [1] * count
        for polyp in range(count - 1, 0, -1):
            children[parents[polyp]].insert(0, polyp)
            sizes[parents[polyp]] += sizes[polyp]

        def twins(one, two):
            todo = [(one, two)]
            while todo:
                one, two = todo.pop()
                if kinds[one] != kinds[two] or len(children[one]) != len(children[two]):
                    return False
                todo += zip(children[one], reversed(children[two]))
            return True

        return sum(
            sizes[one] == sizes[two] and twins(one, two) for two in range(count) for one in range(two)
        )
