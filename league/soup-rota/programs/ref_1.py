from typing import List


def oneMore(menu: List[List[str]]) -> List[List[str]]:
    names = {}
    for name, *spoons in menu:
        names.setdefault(tuple(sorted(spoons)), []).append(name)
    pairs = []
    for spoons, after in names.items():
        for at in range(len(spoons)):
            if at and spoons[at] == spoons[at - 1]:
                continue
            for name in names.get(spoons[:at] + spoons[at + 1 :], ()):
                pairs += [[name, each] for each in after]
    return pairs
