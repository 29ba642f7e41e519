# Right, but takes the difference of every two soups.
from collections import Counter
from typing import List


def oneMore(menu: List[List[str]]) -> List[List[str]]:
    soups = [(name, Counter(spoons)) for name, *spoons in menu]
    return [
        [a, b] for a, less in soups for b, more in soups if not less - more and sum((more - less).values()) == 1
    ]
