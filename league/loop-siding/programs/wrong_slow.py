# Right, but looks through all wagons in reach for every wagon that leaves.
import sys

n, c, *wagons = map(int, sys.stdin.read().split())
loop, order, first = [], [], 0
while first < n or loop:
    best = -1
    for at in range(first, min(n, first + c - len(loop) + 1)):
        if best < 0 or wagons[at] < wagons[best]:
            best = at
    if loop and (best < 0 or loop[0] < wagons[best]):
        order.append(loop.pop(0))
    else:
        loop += wagons[first:best]
        order.append(wagons[best])
        first = best + 1
print(*order)
