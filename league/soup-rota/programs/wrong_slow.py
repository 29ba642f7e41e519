# Right, but compares every two soups.
from typing import List


def oneMore(menu: List[List[str]]) -> List[List[str]]:
    pairs = []
    for a, *less in menu:
        for b, *more in menu:
            rest = list(more)
            for word in less:
                if word in rest:
                    rest.remove(word)
            if len(rest) == 1 and len(more) == len(less) + 1:
                pairs.append([a, b])
    return pairs
