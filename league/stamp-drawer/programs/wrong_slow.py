# Right, but takes the stamps out one by one.
import sys

m, n, *data = map(int, sys.stdin.read().split())
left = dict(zip(data[: 2 * m : 2], data[1 : 2 * m : 2]))
for price in data[2 * m :]:
    before, missing, stamps = dict(left), price, 0
    while missing > 0:
        there = [value for value in left if left[value]]
        if not there:
            break
        fits = [value for value in there if value <= missing]
        value = max(fits) if fits else min(there)
        left[value] -= 1
        missing -= value
        stamps += 1
    if missing > 0:
        left = before
        print("refused")
    else:
        print(stamps, -missing)
