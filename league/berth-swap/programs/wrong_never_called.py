# Skips a berth that another ship holds instead of calling that ship.
import sys


def main():
    data = iter(map(int, sys.stdin.read().split()))
    n, m = next(data), next(data)
    holder = [0] * (m + 1)
    lists = [[]]
    for ship in range(1, n + 1):
        own = next(data)
        wanted = [next(data) for _ in range(next(data))]
        if own:
            holder[own] = ship
            wanted = wanted[: wanted.index(own)] if own in wanted else wanted
            wanted.append(own)
        lists.append(wanted)
    own = [0] * (n + 1)
    for berth, ship in enumerate(holder):
        own[ship] = berth
    gone = [False] * (m + 1)
    called = [False] * (n + 1)
    at, got, left = [0] * (n + 1), [0] * (n + 1), [False] * (n + 1)

    def leave(ship, berth):
        left[ship] = True
        got[ship] = berth
        gone[berth] = berth > 0

    for first in range(1, n + 1):
        called[first] = True
        front = [] if left[first] else [first]  # the ships that were asked or called, the front of the queue last
        while front:
            ship = front[-1]
            wanted = lists[ship]
            while at[ship] < len(wanted) and gone[wanted[at[ship]]]:
                at[ship] += 1
            berth = wanted[at[ship]] if at[ship] < len(wanted) else 0
            other = holder[berth]
            if not berth or other == ship or not other or left[other]:
                leave(front.pop(), berth)
            elif other not in front:
                at[ship] += 1
            elif called[other]:
                while True:
                    last = front.pop()
                    leave(last, lists[last][at[last]])
                    if last == other:
                        break
            else:
                called[other] = True
                front.append(other)
    print(*got[1:])


main()
