# Correct, but the steepest difference is computed anew from all depths after every change.
class EchoSounder:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.roll = []
        self.best = 0

    def changed(self) -> None:
        self.best = 0
        for place in range(1, len(self.roll)):
            self.best = max(self.best, abs(self.roll[place] - self.roll[place - 1]))

    def ping(self, depth: int) -> None:
        if len(self.roll) == self.capacity:
            deepest = max(range(len(self.roll)), key=lambda place: (self.roll[place], -place))
            del self.roll[deepest]
        self.roll.append(depth)
        self.changed()

    def retract(self) -> int:
        if not self.roll:
            return -1
        depth = self.roll.pop()
        self.changed()
        return depth

    def steepest(self) -> int:
        return self.best
