from typing import List


class Solution:
    def plankPile(self, posts: int, drops: List[int]) -> List[int]:
        on = [[(0, -1)] for _ in range(posts + 1)]  # per post: layer and number of each plank
        for number, place in enumerate(drops):
            left, right = on[place], on[place + 1]
            if left[-1][1] == right[-1][1] >= 0:
                left.pop()
                right.pop()
            else:
                plank = (max(left[-1][0], right[-1][0]) + 1, number)
                left.append(plank)
                right.append(plank)
        return [planks[-1][0] for planks in on[1:]]
