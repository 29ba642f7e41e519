# Right, but joins the texts of the branches of a polyp into its own: as many letters as the squared height of the coral.
from typing import List


class Solution:
    def mirrorPairs(self, parents: List[int], kinds: str) -> int:
        texts, mirrored = [[] for _ in parents], [[] for _ in parents]
        seen, pairs = {}, 0
        for polyp in range(len(parents) - 1, -1, -1):
            here = "".join([kinds[polyp], "(", *reversed(texts[polyp]), ")"])
            image = "".join([kinds[polyp], "(", *mirrored[polyp], ")"])
            texts[polyp] = mirrored[polyp] = ()
            pairs += seen.get(hash(image), 0)
            seen[hash(here)] = seen.get(hash(here), 0) + 1
            if polyp:
                texts[parents[polyp]].append(here)
                mirrored[parents[polyp]].append(image)
        return pairs
