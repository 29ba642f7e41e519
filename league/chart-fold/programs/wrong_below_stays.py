# Leaves what is seen from below as it was.
from typing import List


class Solution:
    def foldChart(self, chart: List[str], folds: List[str]) -> List[str]:
        # Only the letters seen from above and those seen from below matter.
        top, bottom = chart, [row.lower() for row in chart]

        def across(rows):
            return ["".join(column) for column in zip(*rows)]

        for fold in folds:
            side, k = fold[0].upper(), int(fold[1:])
            if side in "TB":
                top, bottom = across(top), across(bottom)
            if side in "RB":
                top, bottom = ([row[::-1] for row in face] for face in (top, bottom))
            # Now the k first columns are folded to the right. Columns count from the crease.
            above, below = [], []
            for up, down in zip(top, bottom):
                stays, lies = up[k:], down[k:]
                moved, under = down[:k][::-1], up[:k][::-1]
                if fold[0].isupper():
                    above.append(moved + stays[k:])
                    below.append((lies + down[:k])[: max(k, len(lies))])
                else:
                    above.append(stays + moved[len(stays) :])
                    below.append(under + lies[k:])
            top, bottom = above, below
            if side in "RB":
                top, bottom = ([row[::-1] for row in face] for face in (top, bottom))
            if side in "TB":
                top, bottom = across(top), across(bottom)
        return list(top)
