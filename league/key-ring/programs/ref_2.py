from bisect import bisect_right, insort


class KeyRing:
    """The free hooks as a sorted list: a step is an index in it, and rows are gaps between what is taken."""

    def __init__(self, hooks: int) -> None:
        self.hooks = hooks
        self.free = list(range(hooks))
        self.order = []
        self.on = {}
        self.hand = 0

    def hang(self, step: int) -> int:
        if not self.free:
            return -1
        first = bisect_right(self.free, self.hand)
        hook = self.free.pop((first + step - 1) % len(self.free))
        self.on[hook] = len(self.order)
        self.order.append(hook)
        self.hand = hook
        return hook

    def take(self, hook: int) -> int:
        if hook not in self.on:
            return -1
        insort(self.free, hook)
        return len(self.order) - 1 - self.on.pop(hook)

    def longest(self) -> int:
        taken = sorted(self.on)
        if not taken:
            return self.hooks
        ends = [*taken[1:], taken[0] + self.hooks]
        return max(end - start - 1 for start, end in zip(taken, ends))
