# Lists a pair once for each spoon that could be the one added.
from typing import List


def oneMore(menu: List[List[str]]) -> List[List[str]]:
    names = {}
    for name, *spoons in menu:
        names.setdefault(tuple(sorted(spoons)), []).append(name)
    pairs = []
    for spoons, after in names.items():
        for at in range(len(spoons)):
            for name in names.get(spoons[:at] + spoons[at + 1 :], ()):
                pairs += [[name, each] for each in after]
    return pairs
