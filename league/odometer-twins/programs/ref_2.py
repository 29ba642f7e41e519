from functools import lru_cache
from typing import List


class Solution:
    def countTwins(self, queries: List[List[int]]) -> List[int]:
        """Chooses the digits from the first one on, together with the carries that they are to send on."""
        answers = []
        for base, distance, limit in queries:
            places = []
            a, b = distance, limit
            while a or b:
                places.append((a % base, b % base))
                a, b = a // base, b // base
            places.append((0, 0))
            total = sum(d for d, _ in places)
            if total % (base - 1):
                answers.append(0)
                continue

            @lru_cache(None)
            def ways(place, sends, carries, tight):
                """Choices for the places from `place` down that send this carry and have so many carries in all."""
                if carries < 0:
                    return 0
                if place < 0:
                    return int(sends == 0 and carries == 0)
                d, n = places[place]
                result = 0
                for receives in (0, 1):
                    low, high = (base - d - receives, base - 1) if sends else (0, base - 1 - d - receives)
                    low, high = max(low, 0), min(high, base - 1)
                    if low > high:
                        continue
                    free = high - low + 1
                    if tight:
                        free = max(0, min(high, n - 1) - low + 1)
                        if low <= n <= high:
                            result += ways(place - 1, receives, carries - sends, True)
                    if free:
                        result += free * ways(place - 1, receives, carries - sends, False)
                return result

            answers.append(ways(len(places) - 1, 0, total // (base - 1), True))
        return answers
