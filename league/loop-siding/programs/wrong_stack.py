# Takes the loop for a siding with one end.
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
        if loop and (not smallest or loop[-1] < wagons[smallest[0]]):
            order.append(loop.pop())
            continue
        at = smallest.popleft()
        loop.extend(wagons[first:at])
        order.append(wagons[at])
        first = at + 1
    print(*order)


main()
