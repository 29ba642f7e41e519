# Right, but joins the harbours of all other channels anew for every channel.
from typing import List


class Solution:
    def fatalClosures(self, harbours: int, channels: List[List[int]]) -> List[int]:
        def networks(closed):
            parent = list(range(harbours + 1))
            count = harbours
            for number, channel in enumerate(channels, 1):
                if number == closed:
                    continue
                here, there = channel
                while parent[here] != here:
                    parent[here] = parent[parent[here]]
                    here = parent[here]
                while parent[there] != there:
                    parent[there] = parent[parent[there]]
                    there = parent[there]
                if here != there:
                    parent[here] = there
                    count -= 1
            return count

        before = networks(0)
        return [closed for closed in range(1, len(channels) + 1) if networks(closed) > before]
