# Right, but listens minute by minute.
import sys
from bisect import bisect
from math import gcd

rows = [[int(word) for word in line.split()] for line in sys.stdin]
for a, m, b, k in rows[1:]:
    g = gcd(a, m)
    a, m, b = a // g, m // g, b // g % (m // g)
    left = min(k + 1, m)
    heard, water, minute = set(), b, k
    # The place among the cuts tells the pattern.
    cuts = sorted(-j * a % m for j in range(left))
    while True:
        heard.add(bisect(cuts, water))
        if len(heard) == left:
            break
        water = (water + a) % m
        minute += 1
    print(minute)
