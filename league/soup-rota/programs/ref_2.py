# Every ingredient is a random number, every soup the sum of its spoons; the difference of two soups must be one spoon.
import random
from typing import List


def oneMore(menu: List[List[str]]) -> List[List[str]]:
    rng, value = random.Random(4711), {}
    sums, size_of = {}, {}
    for name, *spoons in menu:
        total = 0
        for word in spoons:
            if word not in value:
                value[word] = rng.getrandbits(96)
            total += value[word]
        sums.setdefault((len(spoons), total), []).append(name)
        size_of[name] = (len(spoons), total, set(spoons))
    pairs = []
    for name, (size, total, words) in size_of.items():
        for word in words:
            pairs += [[before, name] for before in sums.get((size - 1, total - value[word]), ())]
    return pairs
