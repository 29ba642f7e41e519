# Waits for a whole period of the bucket.
import sys
from math import gcd

rows = [[int(word) for word in line.split()] for line in sys.stdin]
for a, m, b, k in rows[1:]:
    print(m // gcd(a, m) - 1 + k)
