# Counts the hook from which the hand starts.
class KeyRing:
    def __init__(self, hooks: int) -> None:
        self.hung_at = [0] * hooks  # 0: free, else the number of the key
        self.hand = 0
        self.keys = 0

    def hang(self, step: int) -> int:
        if 0 not in self.hung_at:
            return -1
        step -= self.hung_at[self.hand] == 0
        while step:
            self.hand = (self.hand + 1) % len(self.hung_at)
            step -= self.hung_at[self.hand] == 0
        self.keys += 1
        self.hung_at[self.hand] = self.keys
        return self.hand

    def take(self, hook: int) -> int:
        number, self.hung_at[hook] = self.hung_at[hook], 0
        return self.keys - number if number else -1

    def longest(self) -> int:
        size, best, row = len(self.hung_at), 0, 0
        for number in self.hung_at * 2:
            row = row + 1 if number == 0 else 0
            best = max(best, row)
        return min(best, size)
