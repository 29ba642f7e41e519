# Starts at harbour 1 only; networks that cannot be reached from there are left out.
from typing import List


class Solution:
    def fatalClosures(self, harbours: int, channels: List[List[int]]) -> List[int]:
        joined = [[] for _ in range(harbours + 1)]
        for number, (here, there) in enumerate(channels, 1):
            joined[here].append((there, number))
            joined[there].append((here, number))
        seen, low = [0] * (harbours + 1), [0] * (harbours + 1)
        seen[1] = low[1] = clock = 1
        fatal = []
        path = [(1, 0, iter(joined[1]))]
        while path:
            here, came_by, rest = path[-1]
            for there, number in rest:
                if number == came_by:
                    continue
                if not seen[there]:
                    clock += 1
                    seen[there] = low[there] = clock
                    path.append((there, number, iter(joined[there])))
                    break
                low[here] = min(low[here], seen[there])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[here])
                    if low[here] == seen[here]:
                        fatal.append(came_by)
        return fatal
