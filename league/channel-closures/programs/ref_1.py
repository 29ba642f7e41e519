from typing import List


class Solution:
    def fatalClosures(self, harbours: int, channels: List[List[int]]) -> List[int]:
        joined = [[] for _ in range(harbours + 1)]
        for number, (here, there) in enumerate(channels, 1):
            joined[here].append((there, number))
            joined[there].append((here, number))
        seen = [0] * (harbours + 1)  # when a harbour was first reached
        low = [0] * (harbours + 1)  # the earliest harbour reached from below it by one channel more
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
                    if seen[there] < low[here]:
                        low[here] = seen[there]
                else:
                    path.pop()
                    if path:
                        above = path[-1][0]
                        if low[here] < low[above]:
                            low[above] = low[here]
                        if low[here] == seen[here]:
                            fatal.append(came_by)
        return fatal
