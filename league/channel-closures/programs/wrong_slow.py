# Right, but closes every channel in turn and looks whether its ends still reach each other.
from typing import List


class Solution:
    def fatalClosures(self, harbours: int, channels: List[List[int]]) -> List[int]:
        joined = [[] for _ in range(harbours + 1)]
        for number, (here, there) in enumerate(channels, 1):
            joined[here].append((there, number))
            joined[there].append((here, number))
        fatal = []
        for closed, (start, goal) in enumerate(channels, 1):
            seen = {start}
            stack = [start]
            while stack and goal not in seen:
                for there, number in joined[stack.pop()]:
                    if number != closed and there not in seen:
                        seen.add(there)
                        stack.append(there)
            if goal not in seen:
                fatal.append(closed)
        return fatal
