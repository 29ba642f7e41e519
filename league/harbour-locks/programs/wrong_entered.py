# Counts boats when they enter a lock, not when they have passed it.
import sys

data = list(map(int, sys.stdin.read().split()))
boats = data[1]
locks = [(s, t, k, k * t + r) for s, t, k, r in zip(*(data[2 + at :: 4] for at in range(4)))]


def entered(minute):
    total = 0
    for s, t, k, cycle in locks:
        if s <= minute:
            full, rest = divmod(minute - s, cycle)
            total += full * k + min(k, rest // t + 1)
    return total


low, high = -1, min(s + boats * t + (boats - 1) // k * (cycle - k * t) for s, t, k, cycle in locks)
while high - low > 1:
    middle = (low + high) // 2
    if entered(middle) >= boats:
        high = middle
    else:
        low = middle
print(high)
