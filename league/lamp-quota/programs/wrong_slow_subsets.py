# Right, but tries all sets of lamps.
import sys

data = list(map(int, sys.stdin.read().split()))
n = data[0]
villages = list(zip(data[1 : 3 * n + 1 : 3], data[2 : 3 * n + 1 : 3], data[3 : 3 * n + 1 : 3]))
sees = [1 << at for at in range(n)]
for a, b in zip(data[3 * n + 1 :: 2], data[3 * n + 2 :: 2]):
    sees[a - 1] |= 1 << b - 1
    sees[b - 1] |= 1 << a - 1
best, lamps = -1, 0
while lamps < 1 << n:
    if all(low <= (lamps & seen).bit_count() <= high for seen, (_, low, high) in zip(sees, villages)):
        price = sum(cost for at, (cost, _, _) in enumerate(villages) if lamps >> at & 1)
        best = price if best < 0 else min(best, price)
    lamps += 1
print(best)
