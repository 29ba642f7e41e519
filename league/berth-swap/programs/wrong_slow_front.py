# Right, but starts at the first ship again after every ship that leaves.
import sys

data = iter(map(int, sys.stdin.read().split()))
n, m = next(data), next(data)
own, lists = {}, {}
for ship in range(1, n + 1):
    own[ship] = next(data)
    wanted = [next(data) for _ in range(next(data))]
    if own[ship]:
        wanted = wanted[: wanted.index(own[ship])] if own[ship] in wanted else wanted
        wanted.append(own[ship])
    lists[ship] = wanted
got = dict.fromkeys(range(1, n + 1), 0)
while lists:
    lists = {ship: wanted for ship, wanted in lists.items() if wanted}
    if not lists:
        break
    first = sorted(sorted(lists), key=lambda ship: ship)[0]
    holder = {own[ship]: ship for ship in lists}
    ring, ship = [], first
    while ship not in ring:
        ring.append(ship)
        ship = holder.get(lists[ship][0], first)
    ring = ring[ring.index(ship) :]
    taken = {lists[ship][0] for ship in ring}
    for ship in ring:
        got[ship] = lists[ship][0]
        del lists[ship]
    lists = {ship: [berth for berth in wanted if berth not in taken] for ship, wanted in lists.items()}
print(*got.values())
