from heapq import heappop, heappush


class EchoSounder:
    """A linked list of what is on the roll, and two heaps whose outdated entries are dropped when they come up."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.held = 0
        self.depth = [0]  # entry 0 stands before the roll
        self.before = [0]
        self.after = [0]  # 0: nothing follows
        self.there = [True]
        self.last = 0
        self.deepest = []
        self.steps = []

    def ping(self, depth: int) -> None:
        if self.held == self.capacity:
            while not self.there[self.deepest[0][1]]:
                heappop(self.deepest)
            self.cut(heappop(self.deepest)[1])
        entry = len(self.depth)
        self.depth.append(depth)
        self.before.append(self.last)
        self.after.append(0)
        self.there.append(True)
        self.join(self.last, entry)
        self.last = entry
        self.held += 1
        heappush(self.deepest, (-depth, entry))

    def retract(self) -> int:
        if not self.held:
            return -1
        depth = self.depth[self.last]
        self.cut(self.last)
        return depth

    def steepest(self) -> int:
        while self.steps and not (self.there[self.steps[0][1]] and self.after[self.steps[0][1]] == self.steps[0][2]):
            heappop(self.steps)
        return -self.steps[0][0] if self.steps else 0

    def join(self, left: int, right: int) -> None:
        self.after[left] = right
        if left and right:
            heappush(self.steps, (-abs(self.depth[left] - self.depth[right]), left, right))

    def cut(self, entry: int) -> None:
        left, right = self.before[entry], self.after[entry]
        self.there[entry] = False
        self.held -= 1
        self.join(left, right)
        if right:
            self.before[right] = left
        else:
            self.last = left
