# Empties the loop whenever its first wagon is smaller than the next one on the entry track.
import sys
from collections import deque


def main():
    n, c, *wagons = map(int, sys.stdin.read().split())
    loop, order, first, seen = deque(), [], 0, 0
    smallest = deque()  # places on the entry track in reach whose numbers are smaller than all behind them in reach
    while first < n or loop:
        last = min(n - 1, first + c - len(loop))  # the wagons before it go into the loop, it goes straight on
        while seen <= last:
            while smallest and wagons[smallest[-1]] > wagons[seen]:
                smallest.pop()
            smallest.append(seen)
            seen += 1
        if loop and (not smallest or first == n or loop[0] < wagons[first]):
            order.append(loop.popleft())
            continue
        at = smallest.popleft()
        loop.extend(wagons[first:at])
        order.append(wagons[at])
        first = at + 1
    print(*order)


main()
