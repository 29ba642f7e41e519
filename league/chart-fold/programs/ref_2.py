from typing import List


class Solution:
    def foldChart(self, chart: List[str], folds: List[str]) -> List[str]:
        """Keeps the whole stack of layers of each place, from the bottom to the top."""
        stacks = {(r, c): [letter] for r, row in enumerate(chart) for c, letter in enumerate(row)}
        rows, columns = len(chart), len(chart[0])
        for fold in folds:
            side, k, over = fold[0].upper(), int(fold[1:]), fold[0].isupper()
            after = {}
            size = rows if side in "TB" else columns
            crease = k if side in "TL" else size - k
            for (r, c), stack in stacks.items():
                at = r if side in "TB" else c
                moves = at < crease if side in "TL" else at >= crease
                if moves:
                    at = 2 * crease - 1 - at
                    stack = [letter.swapcase() for letter in reversed(stack)]
                place = (at, c) if side in "TB" else (r, at)
                other = after.get(place, [])
                after[place] = other + stack if moves == over else stack + other
            up, left = min(r for r, c in after), min(c for r, c in after)
            stacks = {(r - up, c - left): stack for (r, c), stack in after.items()}
            rows, columns = max(r for r, c in stacks) + 1, max(c for r, c in stacks) + 1
        return ["".join(stacks[r, c][-1] for c in range(columns)) for r in range(rows)]
