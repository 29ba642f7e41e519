# Finds only the channels to harbours that have no other channel, again and again.
from typing import List


class Solution:
    def fatalClosures(self, harbours: int, channels: List[List[int]]) -> List[int]:
        joined = [set() for _ in range(harbours + 1)]
        for number, (here, there) in enumerate(channels, 1):
            joined[here].add(number)
            joined[there].add(number)
        ends = [harbour for harbour in range(1, harbours + 1) if len(joined[harbour]) == 1]
        fatal = []
        while ends:
            harbour = ends.pop()
            if len(joined[harbour]) != 1:
                continue
            number = joined[harbour].pop()
            fatal.append(number)
            here, there = channels[number - 1]
            other = there if here == harbour else here
            joined[other].discard(number)
            if len(joined[other]) == 1:
                ends.append(other)
        return fatal
