# Right, but tries one minute after the other.
import sys

data = list(map(int, sys.stdin.read().split()))
boats = data[1]
locks = [(s, t, k, k * t + r) for s, t, k, r in zip(*(data[2 + at :: 4] for at in range(4)))]
minute = passed = 0
while passed < boats:
    minute += 1
    passed = 0
    for s, t, k, cycle in locks:
        if s < minute:
            full, rest = divmod(minute - s, cycle)
            passed += full * k + min(k, rest // t)
print(minute)
