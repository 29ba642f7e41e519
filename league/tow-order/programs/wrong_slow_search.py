# Looks through all the rules again for every barge that leaves.
import sys

count, rules, *numbers = map(int, sys.stdin.read().split())
pairs = list(zip(numbers[::2], numbers[1::2]))
left, order = list(range(1, count + 1)), []
while left:
    gone = set(order)
    held = [b for a, b in pairs if a not in gone]
    free = [barge for barge in left if barge not in held]
    if not free:
        break
    order.append(free[0])
    left.remove(free[0])
print("stuck" if left else " ".join(map(str, order)))
