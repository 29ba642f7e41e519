# Counts a rule once that is told twice, but takes it away twice: a barge leaves too early.
import sys

count, rules, *numbers = map(int, sys.stdin.read().split())
after = [[] for _ in range(count + 1)]
blockers = [set() for _ in range(count + 1)]
for a, b in zip(numbers[::2], numbers[1::2]):
    after[a].append(b)
    blockers[b].add(a)
blocked = [len(each) for each in blockers]
order = [barge for barge in range(1, count + 1) if not blocked[barge]]
for barge in order:
    for other in after[barge]:
        blocked[other] -= 1
        if not blocked[other]:
            order.append(other)
print(*order) if len(order) == count else print("stuck")
