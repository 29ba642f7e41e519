# Never goes back to the harbour it came from, so a second channel between the same two harbours is not seen.
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
            path = [(root, 0, 0, iter(joined[root]))]
            while path:
                here, parent, came_by, rest = path[-1]
                for there, number in rest:
                    if there == parent:
                        continue
                    if not seen[there]:
                        clock += 1
                        seen[there] = low[there] = clock
                        path.append((there, here, number, iter(joined[there])))
                        break
                    low[here] = min(low[here], seen[there])
                else:
                    path.pop()
                    if path:
                        low[parent] = min(low[parent], low[here])
                        if low[here] == seen[here]:
                            fatal.append(came_by)
        return fatal
