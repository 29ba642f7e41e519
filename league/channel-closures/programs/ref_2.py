from typing import List


class Solution:
    def fatalClosures(self, harbours: int, channels: List[List[int]]) -> List[int]:
        # A forest first; then every channel outside it closes a ring, whose harbours are merged into one.
        joined = [[] for _ in range(harbours + 1)]
        for number, (here, there) in enumerate(channels, 1):
            joined[here].append((there, number))
            joined[there].append((here, number))
        above, by, depth = [0] * (harbours + 1), [0] * (harbours + 1), [0] * (harbours + 1)
        in_forest = [False] * (len(channels) + 1)
        for root in range(1, harbours + 1):
            if depth[root]:
                continue
            depth[root] = 1
            level = [root]
            while level:
                further = []
                for here in level:
                    for there, number in joined[here]:
                        if not depth[there]:
                            depth[there], above[there], by[there] = depth[here] + 1, here, number
                            in_forest[number] = True
                            further.append(there)
                level = further

        top = list(range(harbours + 1))

        def find(harbour: int) -> int:
            while top[harbour] != harbour:
                top[harbour] = top[top[harbour]]
                harbour = top[harbour]
            return harbour

        safe = [False] * (len(channels) + 1)
        for number, (here, there) in enumerate(channels, 1):
            if in_forest[number]:
                continue
            here, there = find(here), find(there)
            while here != there:
                if depth[here] < depth[there]:
                    here, there = there, here
                safe[by[here]] = True
                top[here] = above[here]
                here = find(here)
        return [number for number in range(len(channels), 0, -1) if in_forest[number] and not safe[number]]
