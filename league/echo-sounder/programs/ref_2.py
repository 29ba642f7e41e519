from bisect import bisect_left, insort


class EchoSounder:
    """Sorted lists of depths and of differences, kept as they are; neighbours in dictionaries by time of adding."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.roll = {}
        self.left, self.right = {}, {}
        self.depths = []
        self.differences = []
        self.clock = 0
        self.last = None

    def ping(self, depth: int) -> None:
        if len(self.roll) == self.capacity:
            self._remove(-self.depths[-1][1])
        self.clock += 1
        self.roll[self.clock] = depth
        insort(self.depths, (depth, -self.clock))  # of equally deep ones the first is the greatest
        self._tie(self.last, self.clock)
        self.right[self.clock] = None
        self.last = self.clock

    def retract(self) -> int:
        if self.last is None:
            return -1
        depth = self.roll[self.last]
        self._remove(self.last)
        return depth

    def steepest(self) -> int:
        return self.differences[-1] if self.differences else 0

    def _tie(self, one, other) -> None:
        if one is not None:
            self.right[one] = other
        if other is not None:
            self.left[other] = one
        if one is not None and other is not None:
            insort(self.differences, abs(self.roll[one] - self.roll[other]))

    def _untie(self, one, other) -> None:
        if one is not None and other is not None:
            difference = abs(self.roll[one] - self.roll[other])
            del self.differences[bisect_left(self.differences, difference)]

    def _remove(self, time: int) -> None:
        before, after = self.left[time], self.right[time]
        self._untie(before, time)
        self._untie(time, after)
        self._tie(before, after)
        if after is None:
            self.last = before
        depth = self.roll.pop(time)
        del self.depths[bisect_left(self.depths, (depth, -time))]
