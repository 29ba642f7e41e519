import itertools
from typing import List


class Solution:
    def tideAlarms(self, levels: List[int], low: int, high: int) -> List[int]:
        # A reading outside the marks decides the state; one between them copies the state before it.
        decided = ("1" if level >= high else "0" if level <= low else "" for level in levels)
        states = itertools.accumulate(decided, lambda before, now: now or before, initial="0")
        runs = [len(run) for run in "".join(states).split("0") if run]
        return [len(runs), max(runs, default=0)]
