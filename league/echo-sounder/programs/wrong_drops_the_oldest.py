# When the roll is full, the oldest depth is dropped instead of the deepest.
class EchoSounder:
    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.roll = []

    def ping(self, depth: int) -> None:
        if len(self.roll) == self.capacity:
            self.roll.pop(0)
        self.roll.append(depth)

    def retract(self) -> int:
        return self.roll.pop() if self.roll else -1

    def steepest(self) -> int:
        return max((abs(one - other) for one, other in zip(self.roll, self.roll[1:])), default=0)
