# Applies the condition for harbours that must not be closed, so a channel into a ring counts with the ring's channels.
from typing import List


class Solution:
    def fatalClosures(self, harbours: int, channels: List[List[int]]) -> List[int]:
        joined = [[] for _ in range(harbours + 1)]
        for number, (here, there) in enumerate(channels, 1):
            joined[here].append((there, number))
            joined[there].append((here, number))
        seen, low = [0] * (harbours + 1), [0] * (harbours + 1)
        clock, fatal = 0, []
        for root in range(1, harbours + 1):
            if seen[root]:
                continue
            clock += 1
            seen[root] = low[root] = clock
            path = [(root, 0, iter(joined[root]))]
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
                        if low[here] >= seen[above]:
                            fatal.append(came_by)
        return fatal
